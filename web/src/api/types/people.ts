// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface MeAnswer {
  user_id: string;
  email: string | null;
  roles: Array<"user" | "operator">;
  is_operator: boolean;
  needs_sign_in: boolean;
}
