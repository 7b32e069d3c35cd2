// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface AcceptedAnswer {
  team_id: string;
  role: "owner" | "editor" | "viewer";
  is_new: boolean;
}

export interface ApiKeyAnswer {
  key_id: string;
  name: string;
  scopes: Array<string>;
  owner_id: string;
  team_ids: Array<string>;
  is_active: boolean;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface ApiKeysAnswer {
  next_cursor: string | null;
  keys: Array<ApiKeyAnswer>;
  scopes: Record<string, string>;
}

export interface EndedSessionAnswer {
  sign_out_url: string;
}

export interface FileAddressAnswer {
  url: string;
  expires_at: string;
}

export interface InvitationAnswer {
  invitation_id: string;
  team_id: string;
  role: "editor" | "viewer";
  uses: number;
  max_uses: number;
  created_at: string;
  expires_at: string;
}

export interface InvitationBody {
  role?: "editor" | "viewer";
  expires_in_hours?: number;
  max_uses?: number;
}

export interface InvitationsAnswer {
  invitations: Array<InvitationAnswer>;
}

export interface MeAnswer {
  user_id: string;
  email: string | null;
  roles: Array<"user" | "operator">;
  is_operator: boolean;
  needs_sign_in: boolean;
}

export interface MemberAnswer {
  user_id: string;
  name: string | null;
  role: "owner" | "editor" | "viewer";
  joined_at: string;
}

export interface NewApiKey {
  name: string;
  scopes: Array<string>;
  expires_in_days?: number | null;
  with_teams?: boolean;
}

export interface NewApiKeyAnswer {
  key_id: string;
  name: string;
  scopes: Array<string>;
  owner_id: string;
  team_ids: Array<string>;
  is_active: boolean;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  key: string;
  access_key_id: string;
  secret_access_key: string;
}

export interface NewErasure {
  confirm: string;
}

export interface NewExport {
  with_files?: boolean;
}

export interface NewInvitationAnswer {
  invitation_id: string;
  team_id: string;
  role: "editor" | "viewer";
  uses: number;
  max_uses: number;
  created_at: string;
  expires_at: string;
  url: string;
}

export interface OidcOption {
  name: string;
}

export interface OpenInvitationAnswer {
  team_id: string;
  team_name: string;
  role: "editor" | "viewer";
  expires_at: string;
}

export interface PeopleAnswer {
  needs_sign_in: boolean;
  operator_role: string;
  role_claim: string;
  team_claim: string;
  people: Array<PersonAnswer>;
  next_cursor: string | null;
}

export interface PersonAnswer {
  user_id: string;
  name: string | null;
  is_operator: boolean;
  is_pinned: boolean;
  team_ids: Array<string>;
  seen_at: string;
}

export interface PersonDataAnswer {
  confirm_with: string;
  grace_days: number;
  requests: Array<PersonRequestAnswer>;
}

export interface PersonRequestAnswer {
  request_id: string;
  kind: string;
  state: string;
  with_files: boolean;
  requested_at: string;
  due_at: string;
  finished_at: string | null;
  expires_at: string | null;
  size_bytes: number | null;
  error: string | null;
}

export interface RoleBody {
  role: "owner" | "editor" | "viewer";
}

export interface SignInOptionsAnswer {
  accepts_tokens: boolean;
  oidc: OidcOption | null;
}

export interface TeamItemAnswer {
  team_id: string;
  name: string;
  role: "owner" | "editor" | "viewer" | null;
  members: number;
  created_at: string;
}

export interface TeamListAnswer {
  needs_sign_in: boolean;
  teams: Array<TeamItemAnswer>;
}

export interface WholeTeamAnswer {
  team_id: string;
  name: string;
  role: "owner" | "editor" | "viewer" | null;
  members: number;
  created_at: string;
  people: Array<MemberAnswer>;
}
