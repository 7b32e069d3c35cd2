// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface CompletedAnswer {
  videoId: string;
  status: string;
  sizeBytes: number | null;
}

export interface PartAnswer {
  partNumber: number;
  etag: string;
  uploadedAt: string;
}

export interface ProgressAnswer {
  videoId: string;
  status: string;
  totalParts: number | null;
  uploadedParts: number;
  percentage: number;
  partSize: number | null;
  totalSize: number | null;
  uploadedBytes: number;
  parts: Array<PartAnswer>;
}

export interface StartedAnswer {
  videoId: string;
  uploadId: string;
  status: string;
  totalParts: number | null;
  partSize: number | null;
  totalSize: number | null;
}

export interface UnfinishedAnswer {
  uploads: Array<UnfinishedUpload>;
}

export interface UnfinishedUpload {
  videoId: string;
  name: string;
  status: string;
  totalSize: number | null;
  partSize: number | null;
  totalParts: number | null;
  uploadedParts: number;
  uploadedBytes: number;
  percentage: number;
  createdAt: string;
  activeAt: string;
}

export interface UrlAnswer {
  partNumber: number;
  url: string;
  size: number | null;
  expiresAt: string;
}

export interface UrlsAnswer {
  videoId: string;
  urls: Array<UrlAnswer>;
  etags: Array<PartAnswer>;
  nextPartNumber: number | null;
}
