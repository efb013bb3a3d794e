import type { Mutation, Page, Ref } from '../context.js'

/** A test run in a test management system. */
export interface TestRun extends Ref {
  name: string
  counts: Record<'passed' | 'failed' | 'blocked' | 'untested' | 'skipped', number>
  closed: boolean
}

/** Test runs and their results, read-only. */
export interface TestManagement {
  /** Runs of a version whose names contain all of the keywords in any case and order, open ones first. */
  findRuns(keywords: string[], version: string, cursor?: string): Promise<Page<TestRun>>
  /** Returns a run by its id; null if there is none. */
  getRun(id: string): Promise<TestRun | null>
  /** Returns the tests of a run with their status in the words of the provider. */
  listResults(
    runId: string,
    cursor?: string
  ): Promise<Page<{ id: string; title: string; status: string; assignee?: string }>>
}

/** A ticket of an issue tracker. `key` is what people and commit messages call it. */
export interface Ticket extends Ref {
  key: string
  title: string
  status: string
  /** True if the provider considers its status done; the service adds `additionalDoneStatuses`. */
  done: boolean
  /** The assignee by name or e-mail address; absent for nobody. */
  assignee?: string
  labels: string[]
  /** Names of the versions that it is to be fixed in. */
  versions: string[]
  /** The key that was requested, if it differs: the ticket was moved, or a short form was used. */
  askedAs?: string
}

/** The filter of a search for tickets: at most one of version, keys and label. */
export interface TicketFilter {
  projects: string[]
  version?: string
  keys?: string[]
  label?: string
}

/** When users got a version. */
export interface ReleaseTime {
  /** RFC 3339, in UTC. */
  at: string
  /** Its day in the time zone of the app, `YYYY-MM-DD`. */
  day: string
}

/** Tickets and the versions they belong to. Tickets are always named by their keys. */
export interface IssueTracking {
  /**
   * Returns tickets of some projects, by version, by keys or by label. An unknown key is left out;
   * a version that does not exist has no tickets.
   */
  search(filter: TicketFilter, cursor?: string): Promise<Page<Ticket>>
  /** Returns a ticket by its key; null if there is none. */
  get(key: string): Promise<Ticket | null>
  /** Returns the statuses that tickets of a project may have, and which of them count as done. */
  listStatuses(project: string): Promise<{ name: string; done: boolean }[]>
  /** Creates a version in a project, unless it exists. */
  ensureVersion?(project: string, version: string, m: Mutation): Promise<Ref>
  /** Adds a version to the fix versions of each ticket. */
  setVersion?(keys: string[], version: string, m: Mutation): Promise<void>
  /** Adds labels to each ticket, beside its existing ones. */
  addLabels?(keys: string[], labels: string[], m: Mutation): Promise<void>
  /** Marks a version of a project as released at a time. */
  releaseVersion?(project: string, version: string, time: ReleaseTime, m: Mutation): Promise<void>
}

/**
 * A part of a message, for chats that can show more than text. Values are plain text, never markup.
 */
export type ChatBlock =
  | { kind: 'heading' | 'text'; value: string }
  | { kind: 'facts'; value: { label: string; text: string }[] }
  | { kind: 'link'; value: { label: string; url: string } }

/**
 * A button below a message, for chats that support them: it opens a page, or reports the press to
 * the service (`Interactions`).
 */
export type ChatButton = {
  /** At most 75 characters. */
  label: string
  style?: 'primary' | 'danger'
} & (
  | { url: string }
  | {
      /** Name and value, returned with each press. */
      action: string
      value: string
      /** A confirmation question before the press counts; absent for none. */
      asks?: string
    }
)

/** A message as plain text, and in blocks for chats that show them. */
export interface ChatMessage {
  /** The whole message, for chats and notifications without blocks. Plain text, never markup. */
  text: string
  blocks?: ChatBlock[]
  buttons?: ChatButton[]
  /** Ids of people, from `findUserByEmail`. */
  mentions?: string[]
}

/** Channels and the messages in them. */
export interface Chat {
  /** Channels whose name contains a text; all of them for an empty text. */
  listChannels(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  /** Creates a channel with members (by their ids), or returns the one of that name. */
  ensureChannel?(name: string, members: string[], m: Mutation): Promise<Ref>
  /**
   * Posts a message to a channel, or in a thread (`threadOf`). Returns the ref that `update` takes.
   */
  post(channelId: string, message: ChatMessage, m: Mutation & { threadOf?: string }): Promise<Ref>
  /**
   * Replaces a posted message. `notFound` if somebody deleted it, `conflict` if it can no longer be
   * edited.
   */
  update?(channelId: string, ref: Ref, message: ChatMessage, m: Mutation): Promise<Ref>
  /**
   * Returns the person with an e-mail address, whose id `mentions` takes; null if there is none.
   */
  findUserByEmail?(email: string): Promise<Ref | null>
}
