/** The gateway's REST and SSE shapes as the page reads them; it holds types only and must never hold behaviour. */

export type Mode = 'ask' | 'coworker' | 'voice';

export interface Person {
  id: string;
  name: string;
  display_name: string;
  email?: string;
}

export interface Membership {
  workspace_id: string;
  workspace_slug: string;
  workspace_name: string;
  role: string;
  permissions: string[];
}

/** Answer of `GET /me` and `POST /sign-in`. */
export interface Session {
  person: Person;
  memberships: Membership[];
  csrf_token: string;
  /** What a person should know of this installation. */
  warnings?: string[];
}

export interface Conversation {
  id: string;
  title: string;
  mode: Mode;
  /** `active` or `ended`. */
  status: string;
  created_at: string;
  updated_at: string;
  /** Empty or absent when no turn runs. */
  running_turn_id?: string | null;
  /** Nobody looks on: allow rules of settings decide nothing in it. */
  unattended?: boolean;
  /** What it is as somebody's delegate; null for a conversation of the person's own. */
  delegate?: { name: string; parent_conversation_id: string; root_conversation_id: string } | null;
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
}

export interface Message {
  id: string;
  turn_id?: string;
  role: 'user' | 'assistant' | 'system';
  content: string;
  /** `complete`, `streaming`, `cancelled`, `failed` or `interrupted`. */
  status: string;
  usage?: Usage | null;
  created_at: string;
  error_code?: string;
}

export interface Label {
  integrity: string;
  confidentiality: string;
}

/** One reason a person must decide: a code of a closed list and its sentence. */
export interface Ask {
  code: string;
  text: string;
}

export interface SlotRef {
  number: number;
  /** The broker's words. */
  origin: string;
  /** Chosen by the content: shown, never believed. */
  name?: string;
  lines: number;
  bytes: number;
  kind: string;
  label?: Label | null;
}

/** Arguments and the exact values a grant covers. */
export type Scope = Record<string, unknown>;

export interface Grant {
  id: string;
  tool: string;
  scope: Scope;
  /** `person`, `approval` or `step_up`. */
  source: string;
  expires_at: string;
}

/** A loop, a goal or a watch of a conversation. */
export interface Schedule {
  id: string;
  kind: string;
  /** `live` or `ended`. */
  status: string;
  /** What is asked again. */
  line: string;
  every_seconds: number;
  /** Of a watch; else empty. */
  path: string;
  fires: number;
  quiet: number;
  /** Null while its turn is not over, and of a watch. */
  due_at: string | null;
  end_text: string;
}

/** Answer of `GET …/conversations/:cid/settings/repository`: the settings file that lies among the files. */
export interface RepositorySettings {
  found: boolean;
  /** Whether the file is vouched for. */
  trusted: boolean;
  /** Allow rules that hold because the person accepted them. */
  accepted: string[];
  /** Allow rules that hold nothing open until the person accepts them. */
  proposals: string[];
  /** Why a file that is there changes nothing; else empty. */
  refused_because: string;
}

export interface Approval {
  id: string;
  tool_call_id: string;
  conversation_id: string;
  tool: string;
  input?: unknown;
  why?: string;
  status: string;
  asks: Ask[];
  trust_output_offered: boolean;
  /** What a grant given with the yes would cover; null where none is offered. */
  grant_scope: Scope | null;
  /** The rule that would let exactly this line through from now on; empty where none is offered. */
  remember_rule?: string;
  call_digest?: string;
  expires_at: string;
  decided_by?: string;
  decided_at?: string | null;
  /** The delegate that asks. */
  delegate?: AskingDelegate | undefined;
}

export interface AskingDelegate {
  name: string;
  kind: string;
  task: string;
}

export interface Delegate {
  conversation_id: string;
  parent_conversation_id: string;
  name: string;
  kind: string;
  task: string;
  depth: number;
  state: string;
  input_tokens: number;
  output_tokens: number;
}

export interface ShownText {
  /** Safe to draw: what cannot be seen is a symbol. */
  text: string;
  /** Place and length of each symbol, and what stands there. */
  marks?: [number, number, string][];
}

export interface PreviewRow extends ShownText {
  kind: 'heading' | 'value' | 'hunk' | 'note' | 'warning' | 'more' | 'same' | 'added' | 'removed' | 'line';
  name?: string;
  before?: number;
  after?: number;
}

/** A question to be answered. Numbers count from 1. */
export interface ShownQuestion {
  number: number;
  header: ShownText;
  question: ShownText;
  /** Empty: own words only. */
  options: ShownText[];
  multiple: boolean;
}

/** One for each question that was drawn. */
export interface QuestionAnswer {
  question: number;
  options?: number[];
  words?: string;
  skip?: true;
}

/** The call of a question as the server drew it. */
export interface Preview {
  version: number;
  rows: PreviewRow[];
  added: number;
  removed: number;
  symbols: number;
  /** Of a call that only asks. */
  questions?: ShownQuestion[];
}

/** A file the person may vouch for, as it is now. */
export interface TrustOffer {
  path: string;
  revision: string;
  preview: Preview;
  trusted: boolean;
}

/** What a command line was compiled to, which is what runs. */
export interface Plan {
  steps: { argv: string[]; program: string; env: Record<string, string>; redirects: { op: string; path: string }[] }[];
  connectors: string[];
  /** Set where the line is proven to read these files and do nothing else. */
  reads?: string[];
}

export interface StepEnd {
  ran: boolean;
  exit_code: number;
  signal: string;
  failure: string;
}

export interface ToolCall {
  id: string;
  tool: string;
  input: unknown;
  why?: string;
  /** `running`, `needs_approval`, `completed`, `failed`, `denied`, `refused`, `expired` or `outcome_unknown`. */
  status: string;
  output?: string;
  refs?: SlotRef[];
  label?: Label | null;
  duration_ms?: number;
  created_at: string;
  approval?: Approval | null;
  reasons?: Ask[];
  /** Set where only the mode stood in the way and nothing was granted since. */
  step_up?: { required_mode: string; grant_scope: Scope | null } | null;
  plan?: Plan | null;
  steps?: StepEnd[];
}

/** Answer of `GET …/conversations/:cid`. */
export interface ConversationDetail {
  conversation: Conversation;
  /** Oldest first: the newest 50 as the server answers, and what the page has read before them. */
  messages: Message[];
  /** Whether there are, or may be, messages before these. */
  messages_before: boolean;
  approvals: Approval[];
  /** Events after it are news to whoever holds this answer. */
  stream_position: string;
}

export interface SlotContent {
  slot: SlotRef;
  /** The bytes as text, undecodable ones replaced. */
  text: string;
}

export interface Model {
  id: string;
  label: string;
  service: string;
  /** The heading it stands under. */
  service_label: string;
  context_tokens: number | null;
  /** `read`, `unread` or `unknown`. */
  effort: string;
  /** A planner that is no language model. */
  demo: boolean;
}

/** Answer of `GET …/models`. */
export interface ModelList {
  models: Model[];
  /** Where the automatic entry leads. */
  automatic: string;
  services: { id: string; label: string; stale: boolean; problem: string }[];
  notes: string[];
}

export interface Choice {
  /** Empty: nobody chose. */
  model: string;
  effort: string;
}

/** Answer of `GET …/conversations/:cid/model`. */
export interface ModelChoice {
  conversation: Choice;
  person: Choice;
  workspace: Choice;
  effective: { model: string; label: string; decided_by: string; effort: string; effort_sent: boolean };
}

export interface UsageAmounts {
  input_tokens: number;
  output_tokens: number;
  requests: number;
  failed: number;
  cost_usd: number;
  credits: number;
  container_seconds: number;
}

/** Answer of `GET …/usage`. */
export interface UsageReport {
  from: string;
  to: string;
  total: UsageAmounts;
  by_model: ({ model: string } & UsageAmounts)[];
  by_user: ({ user_id: string } & UsageAmounts)[];
  credits: {
    plan: string;
    unlimited: boolean;
    plan_granted: number;
    plan_used: number;
    trial_granted: number;
    trial_used: number;
    purchased_granted: number;
    purchased_used: number;
    resets_at: string;
  };
  /** Money in millionths of a dollar. */
  limits: { name: string; limit: number; used: number; reserved: number; resets_at: string }[];
}

export interface AuditEntry {
  index: number;
  leaf_hash: string;
  event_id: string;
  type: string;
  actor: string;
  on_behalf_of?: string;
  conversation_id?: string;
  producer: string;
  time: string;
  data: Record<string, unknown>;
}

export interface AuditVerification {
  ok: boolean;
  size: number;
  checkpoint_size: number;
  checkpoint?: string;
  problem?: string;
  gaps?: string[];
}

interface InForce {
  key: string;
  layer: string;
  overridden: string[];
}

/** Answer of `GET …/doctor`: names and places, no value. */
export interface Diagnosis {
  ok: boolean;
  layers: { layer: string; state: string }[];
  settings: InForce[];
  variables: InForce[];
  providers: { id: string; layer: string; host: string; credential: string }[];
  rules: { list: string; layer: string; count: number }[];
  lists: { key: string; layer: string; count: number }[];
  findings: { severity: string; layer: string; key: string; rule: string; text: string }[];
}

/** One event of a conversation's stream. */
export interface TurnEvent {
  /** `<conversation id>:<stream sequence>`; empty when the server gave none. */
  id: string;
  event: string;
  data: Record<string, unknown>;
}
