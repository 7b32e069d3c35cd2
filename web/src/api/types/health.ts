// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface ErrorAnswer {
  error: ErrorBody;
}

export interface ErrorBody {
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

export interface ServiceAnswer {
  name: string;
  state: string;
  since: string;
  restarts: number;
  last_error: string | null;
}
