import { defineWords } from "../../core/language";

/** What the cards of the models that are installed by name say; those of other models stay as they are. */
const TEXTS_PT: Record<string, string> = {
  "people, vehicles, animals, bags and other things (80 classes)":
    "pessoas, veículos, animais, bolsas e outras coisas (80 classes)",
  "people and their poses (up to six at once)": "pessoas e suas poses (até seis de uma vez)",
  "a detector of your own": "um detector seu",
  "a detector of your own, asked over HTTP": "um detector seu, consultado por HTTP",
  "weapons, tools, parcels, smoke and fire: they are not among its classes":
    "armas, ferramentas, pacotes, fumaça e fogo: não estão entre as classes dele",
  "anything smaller than about 1/25 of the picture's width, unless motion around it is known":
    "nada menor que cerca de 1/25 da largura da imagem, a não ser que se saiba que algo se move ali",
  "kinds of vehicles and animals that its classes do not name: a van is called a car or truck, a raccoon a cat or bear":
    "tipos de veículos e animais que suas classes não nomeiam: uma van é chamada de carro ou caminhão, um guaxinim de gato ou urso",
  "more than six people in one look": "mais de seis pessoas de uma vez",
  "people of whom only a small part shows, and people seen from straight above":
    "pessoas das quais só uma pequena parte aparece e pessoas vistas bem de cima",
  "who a person is: it knows poses, not faces": "quem alguém é: conhece poses, não rostos",
  "anything but its classes; its scores are shown as they are, not calibrated":
    "nada além das suas classes; suas pontuações são mostradas como são, sem calibração",
  "anything but the classes of its model; its scores are shown as they are, not calibrated":
    "nada além das classes do seu modelo; suas pontuações são mostradas como são, sem calibração",
  "weights of Darknet, public domain; package MIT": "pesos do Darknet, domínio público; pacote MIT",
  "Apache-2.0 (Google MoveNet); package MIT": "Apache-2.0 (Google MoveNet); pacote MIT",
  "as its source says": "conforme a sua origem",
};

export const useModelWords = defineWords("model", {
  en: {
    about: "What finds them, and what it cannot see",
    honesty:
      "Models are wrong at times: they miss things and take one thing for another. An event shows the picture, so that you can judge for yourself.",
    calibrated: "Calibrated",
    uncalibrated: "Not calibrated",
    calibratedHint:
      "Its percentages were fitted on real pictures: of detections with 80 %, 8 in 10 or more were right there. Before your camera it may differ.",
    uncalibratedHint: "Its percentages rank detections, and do not say how often they are right.",
    cannotSee: "It cannot see",
    licence: "Licence",
    source: "From",
    broken: "The detector does not work:",
    text: (text: string) => text,
  },
  pt: {
    about: "O que os encontra e o que não consegue ver",
    honesty:
      "Os modelos erram às vezes: deixam passar coisas e confundem uma com outra. O evento mostra a imagem, para que você mesmo julgue.",
    calibrated: "Calibrado",
    uncalibrated: "Não calibrado",
    calibratedHint:
      "As porcentagens foram ajustadas em imagens reais: das detecções com 80 %, 8 em 10 ou mais estavam certas ali. Com a sua câmera pode ser diferente.",
    uncalibratedHint: "As porcentagens ordenam as detecções e não dizem com que frequência estão certas.",
    cannotSee: "Não consegue ver",
    licence: "Licença",
    source: "De",
    broken: "O detector não funciona:",
    text: (text: string) => TEXTS_PT[text] ?? text,
  },
});
