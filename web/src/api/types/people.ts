// The API's answers and bodies as far as the page uses them, made from its description: make api-types.

export interface MeAnswer {
  user_id: string;
  email: string | null;
  roles: Array<"user" | "operator">;
  is_operator: boolean;
  needs_sign_in: boolean;
}
