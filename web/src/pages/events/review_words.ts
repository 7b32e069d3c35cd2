import { defineWords, pluralize } from "../../core/language";

export const useReviewWords = defineWords("review", {
  en: {
    view: "View",
    grid: "Cards",
    list: "List",
    today: "Today",
    previousDay: "Previous day",
    nextDay: "Next day",
    allDays: "Show all days",
    eventsOfDay: (count: number, isMore: boolean) =>
      `${pluralize(count, "event", "events")}${isMore ? " or more" : ""}`,
  },
  pt: {
    view: "Visualização",
    grid: "Cartões",
    list: "Lista",
    today: "Hoje",
    previousDay: "Dia anterior",
    nextDay: "Próximo dia",
    allDays: "Mostrar todos os dias",
    eventsOfDay: (count: number, isMore: boolean) =>
      `${pluralize(count, "evento", "eventos")}${isMore ? " ou mais" : ""}`,
  },
});
