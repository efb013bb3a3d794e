import type { Mutation, Page, Ref } from '../context.js'

/** A run of tests, as test management has it. */
export interface TestRun extends Ref {
  name: string
  counts: Record<'passed' | 'failed' | 'blocked' | 'untested' | 'skipped', number>
  closed: boolean
}

/** Runs of tests and what came of them; nothing of it is changed. */
export interface TestManagement {
  /** Runs of a version whose name holds one of the keywords, open ones first. */
  findRuns(keywords: string[], version: string, cursor?: string): Promise<Page<TestRun>>
  /** A run by its id; null if there is none. */
  getRun(id: string): Promise<TestRun | null>
  /** The tests of a run with their status in the words of the provider. */
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
  /** The key it was asked for by, where its own is another: it was moved, or a short form names it. */
  askedAs?: string
}

/** The filter of a search for tickets: at most one of version, keys and label. */
export interface TicketFilter {
  projects: string[]
  version?: string
  keys?: string[]
  label?: string
}

/** Tickets and the versions they belong to. Keys stand for tickets everywhere. */
export interface IssueTracking {
  /**
   * Tickets of some projects: of a version, of keys, or with a label. An unknown key is left out; of
   * a version that is not there, there are none.
   */
  search(filter: TicketFilter, cursor?: string): Promise<Page<Ticket>>
  /** A ticket by its key; null if there is none. */
  get(key: string): Promise<Ticket | null>
  /** The statuses that tickets of a project may have, and which of them count as done. */
  listStatuses(project: string): Promise<{ name: string; done: boolean }[]>
  /** Makes a version of a project where there is none of that name. */
  ensureVersion?(project: string, version: string, m: Mutation): Promise<Ref>
  /** Adds a version to those that all of some tickets are to be fixed in. */
  setVersion?(keys: string[], version: string, m: Mutation): Promise<void>
  /** Labels beside those that the tickets have. */
  addLabels?(keys: string[], labels: string[], m: Mutation): Promise<void>
  /** Marks a version of a project as released at a time. */
  releaseVersion?(project: string, version: string, at: string, m: Mutation): Promise<void>
}

/** A part of a message, for chats that can do more than text; plain text, nothing of it is markup. */
export type ChatBlock =
  | { kind: 'heading' | 'text'; value: string }
  | { kind: 'facts'; value: { label: string; text: string }[] }
  | { kind: 'link'; value: { label: string; url: string } }

/**
 * A button below a message, for chats that show them: it leads to a page, or reports the press to
 * the service (`Interactions`).
 */
export type ChatButton = {
  /** At most 75 characters. */
  label: string
  style?: 'primary' | 'danger'
} & (
  | { url: string }
  | {
      /** Name and value, given back with each press. */
      action: string
      value: string
      /** A question that whoever presses is asked first; absent for none. */
      asks?: string
    }
)

/** A message as plain text, and in blocks for chats that show them. */
export interface ChatMessage {
  /** All of it, for chats and notifications that show no blocks; plain text, nothing is markup. */
  text: string
  blocks?: ChatBlock[]
  buttons?: ChatButton[]
  /** Ids of people, as `findUserByEmail` gave them. */
  mentions?: string[]
}

/** Channels and what is posted to them. */
export interface Chat {
  /** Channels whose name holds a text, all of them for an empty one. */
  listChannels(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  /** Makes a channel with members, by their ids, or finds the one of that name. */
  ensureChannel?(name: string, members: string[], m: Mutation): Promise<Ref>
  /**
   * Posts a message to a channel, or below another (`threadOf`); the answer is what `update` takes.
   */
  post(channelId: string, message: ChatMessage, m: Mutation & { threadOf?: string }): Promise<Ref>
  /**
   * Takes the place of a message that was posted. `notFound` where somebody deleted it, `conflict`
   * where it can be edited no more.
   */
  update?(channelId: string, ref: Ref, message: ChatMessage, m: Mutation): Promise<Ref>
  /** The person of an e-mail address, whose id `mentions` takes; null for nobody. */
  findUserByEmail?(email: string): Promise<Ref | null>
}
