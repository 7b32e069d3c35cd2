import { defineWords, pluralize } from "../../core/language";

export const useSharedWords = defineWords("shared", {
  en: {
    shared: "Links",
    none: "No active links",
    noneText:
      "Share a video, a moment or a clip from its page. All links that work are listed here, to copy or revoke them.",
    intro: "Everyone with one of these links can watch without signing in, until it expires or you revoke it.",
    whole: "Whole video",
    clip: "Clip",
    views: (count: number) => pluralize(count, "view", "views"),
    expires: "Expires",
    copy: "Copy link",
    copied: "Link copied.",
    copyEmbed: "Copy embed code",
    embedCopied: "Embed code copied.",
    revoke: "Revoke",
    revokeAsk: "Revoke this link?",
    revokeText: (title: string) =>
      `“${title}” can't be watched by this link any more, also where it is being watched now.`,
    revoked: "Link revoked.",
  },
  pt: {
    shared: "Links",
    none: "Nenhum link ativo",
    noneText:
      "Compartilhe um vídeo, um momento ou um clipe na página dele. Todos os links que funcionam aparecem aqui, para copiar ou revogar.",
    intro: "Quem tem um destes links pode assistir sem entrar, até que ele expire ou você o revogue.",
    whole: "Vídeo inteiro",
    clip: "Clipe",
    views: (count: number) => pluralize(count, "visualização", "visualizações"),
    expires: "Expira",
    copy: "Copiar link",
    copied: "Link copiado.",
    copyEmbed: "Copiar código de incorporação",
    embedCopied: "Código de incorporação copiado.",
    revoke: "Revogar",
    revokeAsk: "Revogar este link?",
    revokeText: (title: string) =>
      `“${title}” não poderá mais ser visto por este link, nem onde está sendo visto agora.`,
    revoked: "Link revogado.",
  },
});
