// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface CollectionAnswer {
  collection_id: string;
  name: string;
  videos: number;
  covers: Array<string>;
  created_at: string;
  updated_at: string;
}

export interface CollectionsAnswer {
  collections: Array<CollectionAnswer>;
  limit: number;
}

export interface MovedAnswer {
  video_id: string;
  is_done: boolean;
  code: string | null;
  message: string | null;
}

export interface MovedVideosAnswer {
  results: Array<MovedAnswer>;
}

export interface TrashAnswer {
  next_cursor: string | null;
  videos: Array<TrashedVideoAnswer>;
}

export interface TrashedVideoAnswer {
  video_id: string;
  name: string;
  size_bytes: number | null;
  duration_ms: number | null;
  trashed_at: string;
  removed_at: string;
}
