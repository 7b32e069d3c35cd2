import { defineWords } from "../../core/language";

export const useAboutWords = defineWords("about", {
  en: {
    about: "About this video",
    add: "Add description and tags",
    edit: "Edit description and tags",
    description: "Description",
    tags: "Tags",
    tagsHint: "Press Enter or a comma after each tag.",
    addTag: "Add a tag",
    knownTags: "Tags of other videos",
    removeTag: (tag: string) => `Remove tag “${tag}”`,
    save: "Save",
    cancel: "Cancel",
    saved: "Saved.",
  },
  pt: {
    about: "Sobre este vídeo",
    add: "Adicionar descrição e etiquetas",
    edit: "Editar descrição e etiquetas",
    description: "Descrição",
    tags: "Etiquetas",
    tagsHint: "Tecle Enter ou vírgula depois de cada etiqueta.",
    addTag: "Adicionar uma etiqueta",
    knownTags: "Etiquetas de outros vídeos",
    removeTag: (tag: string) => `Remover etiqueta “${tag}”`,
    save: "Salvar",
    cancel: "Cancelar",
    saved: "Salvo.",
  },
});
