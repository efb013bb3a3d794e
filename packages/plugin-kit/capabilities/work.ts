import type { Mutation, Page, Ref } from '../context.js'

export interface TestRun extends Ref {
  name: string
  counts: Record<'passed' | 'failed' | 'blocked' | 'untested' | 'skipped', number>
  closed: boolean
}

export interface TestManagement {
  findRuns(keywords: string[], version: string, cursor?: string): Promise<Page<TestRun>>
  getRun(id: string): Promise<TestRun | null>
  listResults(
    runId: string,
    cursor?: string
  ): Promise<Page<{ id: string; title: string; status: string; assignee?: string }>>
}

export interface Ticket extends Ref {
  key: string
  title: string
  status: string
  done: boolean
  assignee?: string
  labels: string[]
  versions: string[]
}

export interface IssueTracking {
  search(
    filter: { projects: string[]; version?: string; keys?: string[]; text?: string },
    cursor?: string
  ): Promise<Page<Ticket>>
  get(key: string): Promise<Ticket | null>
  create(
    input: { project: string; title: string; body: string; labels?: string[] },
    m: Mutation
  ): Promise<Ticket>
  comment(key: string, body: string, m: Mutation): Promise<Ref>
  listStatuses(project: string): Promise<{ name: string; done: boolean }[]>
  ensureVersion?(project: string, version: string, m: Mutation): Promise<Ref>
  setVersion?(keys: string[], version: string, m: Mutation): Promise<void>
  /** Labels beside those that the tickets have. */
  addLabels?(keys: string[], labels: string[], m: Mutation): Promise<void>
  releaseVersion?(project: string, version: string, at: string, m: Mutation): Promise<void>
}

/** A part of a message, for chats that can do more than text; plain text, nothing of it is markup. */
export type ChatBlock =
  | { kind: 'heading' | 'text'; value: string }
  | { kind: 'facts'; value: { label: string; text: string }[] }
  | { kind: 'link'; value: { label: string; url: string } }

export interface ChatMessage {
  /** All of it, for chats and notifications that show no blocks; plain text, nothing is markup. */
  text: string
  blocks?: ChatBlock[]
  /** Ids of people, as `findUserByEmail` gave them. */
  mentions?: string[]
}

export interface Chat {
  listChannels(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  ensureChannel?(name: string, members: string[], m: Mutation): Promise<Ref>
  post(channelId: string, message: ChatMessage, m: Mutation & { threadOf?: string }): Promise<Ref>
  update?(channelId: string, ref: Ref, message: ChatMessage, m: Mutation): Promise<Ref>
  findUserByEmail?(email: string): Promise<Ref | null>
}
