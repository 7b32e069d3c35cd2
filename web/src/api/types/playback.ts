// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface DownloadAnswer {
  url: string;
  file_name: string;
  expires_at: string;
}
