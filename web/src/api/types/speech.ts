// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface SpeechAnswer {
  installed: boolean;
  how_to_install: string | null;
  model: string;
  purpose: string | null;
  licence: string | null;
  cannot_hear: Array<string>;
}
