// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface ModelAnswer {
  name: string;
  purpose: string;
  sha256: string | null;
  labels: Array<string>;
  licence: string;
  source: string;
  cannot_see: Array<string>;
  is_calibrated: boolean;
}

export interface VisionAnswer {
  installed: boolean;
  how_to_install: string | null;
  summary: string;
  error: string | null;
  objects: Array<string>;
  models: Array<ModelAnswer>;
}
