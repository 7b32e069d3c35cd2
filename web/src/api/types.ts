// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export type * from "./types/cameras";
export type * from "./types/clips";
export type * from "./types/frames";
export type * from "./types/health";
export type * from "./types/jobs";
export type * from "./types/languages";
export type * from "./types/library";
export type * from "./types/mails";
export type * from "./types/messages";
export type * from "./types/overview";
export type * from "./types/people";
export type * from "./types/playback";
export type * from "./types/queues";
export type * from "./types/search";
export type * from "./types/security_events";
export type * from "./types/settings";
export type * from "./types/shares";
export type * from "./types/speech";
export type * from "./types/storage";
export type * from "./types/techniques";
export type * from "./types/text";
export type * from "./types/uploads";
export type * from "./types/usage";
export type * from "./types/videos";
export type * from "./types/vision";
