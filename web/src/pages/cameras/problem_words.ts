import { defineWords } from "../../core/language";

/** Why a camera shows no picture and what to do, by the code of the API, whose own words are English. */
export const useProblemWords = defineWords("problem", {
  en: {
    unknown_host: "No device has this host name. Check the spelling, or use the camera's IP address.",
    address_not_allowed:
      "This address lies in a network that cameras here may not use. Use a public address, or ask an operator to add the camera.",
    connection_refused:
      "The device refuses the connection on this port. Check the port, and that RTSP or HTTP is switched on in the camera's settings.",
    no_route: "The camera can't be reached. Check that it is switched on and in the same network as this machine.",
    timed_out: "The camera did not answer in time. Check that it is switched on, its IP address and the port.",
    tls_failed:
      "The camera's certificate is not trusted. Many cameras have a self-signed one: switch off certificate checks for this camera, or use rtsp:// or http://.",
    wrong_password:
      "The camera refuses the user name or password. Type them again; some cameras have a user of their own for streams (ONVIF or RTSP user).",
    password_needed: "The camera asks for a user name and password. Add them to this camera.",
    not_found:
      "The camera has no stream at this path. Look up the path in its manual, for example /stream1 or /Streaming/Channels/101.",
    redirected: "The camera redirects to another address. Use the address that it redirects to.",
    transport_refused:
      "The camera refuses RTSP over TCP. Switch on TCP in its settings, or choose UDP here, which needs an operator where people sign in.",
    camera_error: "The camera answers with an error. Restart the camera if this goes on.",
    not_video:
      "What this address sends is not a video or picture that can be read. Check the path; for a single picture choose the kind Single pictures.",
    unsupported: "The camera's video has a format that can't be read. Choose H.264 or H.265 in the camera's settings.",
    stalled: "The camera stopped sending pictures. Check its network; it is connected again automatically.",
    ended: "The camera ended the stream. It is connected again automatically.",
    watcher_failed: "The process that reads this camera failed. It is started again automatically.",
    secret_lost: "The camera's password was stored under another secret of this installation. Type it again.",
    folder_missing:
      "The camera's folder does not exist or can't be read. Create it on the machine that watches cameras, and let Sightline's user read it.",
    folder_not_allowed:
      "Only operators can choose a folder of the machine. Leave the folder empty to use the camera's own, or ask an operator to add the camera.",
  },
  pt: {
    unknown_host: "Nenhum dispositivo tem este nome. Confira o nome ou use o endereço IP da câmera.",
    address_not_allowed:
      "Este endereço fica em uma rede que as câmeras daqui não podem usar. Use um endereço público ou peça a um operador.",
    connection_refused:
      "O dispositivo recusa a conexão nesta porta. Confira a porta e se RTSP ou HTTP está ligado nas configurações da câmera.",
    no_route: "A câmera não pode ser alcançada. Confira se está ligada e na mesma rede que esta máquina.",
    timed_out: "A câmera não respondeu a tempo. Confira se está ligada, o endereço IP e a porta.",
    tls_failed:
      "O certificado da câmera não é confiável. Muitas câmeras têm um próprio: desligue a verificação para esta câmera ou use rtsp:// ou http://.",
    wrong_password:
      "A câmera recusa o nome de usuário ou a senha. Digite-os de novo; algumas câmeras têm um usuário próprio para vídeo (ONVIF ou RTSP).",
    password_needed: "A câmera pede nome de usuário e senha. Informe-os nesta câmera.",
    not_found:
      "A câmera não tem vídeo neste caminho. Veja o caminho no manual, por exemplo /stream1 ou /Streaming/Channels/101.",
    redirected: "A câmera redireciona para outro endereço. Use o endereço para o qual ela redireciona.",
    transport_refused:
      "A câmera recusa RTSP por TCP. Ligue TCP nas configurações dela ou escolha UDP aqui, o que precisa de um operador onde as pessoas entram com senha.",
    camera_error: "A câmera responde com um erro. Reinicie a câmera se isso continuar.",
    not_video:
      "O que este endereço envia não é um vídeo ou uma imagem legível. Confira o caminho; para uma imagem só, escolha o tipo Imagens avulsas.",
    unsupported: "O vídeo da câmera tem um formato ilegível. Escolha H.264 ou H.265 nas configurações da câmera.",
    stalled: "A câmera parou de enviar imagens. Confira a rede dela; a conexão é refeita automaticamente.",
    ended: "A câmera encerrou o vídeo. A conexão é refeita automaticamente.",
    watcher_failed: "O processo que lê esta câmera falhou. Ele é reiniciado automaticamente.",
    secret_lost: "A senha da câmera foi guardada com outro segredo desta instalação. Digite-a de novo.",
    folder_missing:
      "A pasta da câmera não existe ou não pode ser lida. Crie-a na máquina que observa as câmeras e deixe o usuário do Sightline lê-la.",
    folder_not_allowed:
      "Só operadores podem escolher uma pasta da máquina. Deixe a pasta vazia para usar a da própria câmera ou peça a um operador.",
  },
});

type ProblemWords = ReturnType<typeof useProblemWords>;

/** The problem in the language of the page; one that is not known here in the words of the API. */
export function problemText(words: ProblemWords, code: unknown, fallback: string): string {
  return words[code as keyof ProblemWords] ?? fallback;
}
