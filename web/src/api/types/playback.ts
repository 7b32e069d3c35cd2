// The API's answers and bodies as far as the page uses them, made from its description: make api-types.

export interface DownloadAnswer {
  url: string;
  file_name: string;
  expires_at: string;
}
