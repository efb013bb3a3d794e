import type { Commit } from '#plugin-kit/capabilities/source'

/** The information in a commit message. */
interface CommitWords {
  /** Possible ticket keys, in upper case, once each. */
  tickets: string[]
  pullRequest: number | null
  /** Hashes of the commits it was picked from. */
  pickedFrom: string[]
  /** Hashes of the commits that it reverts. */
  reverts: string[]
}

const KEY = /(?<![A-Za-z0-9_-])[A-Za-z][A-Za-z0-9_]{0,19}-\d{1,9}(?![A-Za-z0-9_])/g
const NUMBER = /(?<![A-Za-z0-9_&/])#\d{1,9}(?!\d)/g
const PICKED = /^\(cherry picked from commit ([0-9a-f]{40,64})\)[ \t\r]*$/gm
const REVERTS = /\bThis reverts commit ([0-9a-f]{40,64})\b/g
/** Subjects that hosts write when they merge or squash. */
const MERGED_PULL = /^Merge pull request #(\d{1,9})\b/
const SQUASHED_PULL = /\(#(\d{1,9})\)$/
/** Commits by the service itself, such as a written version. */
const OWN_WORK = /^Tarmac-Request: [0-9a-f]{32}$/m

/** Maximum number of names per message. */
const MAX_NAMES = 50

/** Parses a commit message in linear time. */
export function readWords(message: string): CommitWords {
  const subject = message.slice(0, (message + '\n').indexOf('\n')).trim()
  const pull = MERGED_PULL.exec(subject) ?? SQUASHED_PULL.exec(subject)
  const keys = [...message.matchAll(KEY), ...message.matchAll(NUMBER)]
  return {
    tickets: first(keys.map(([key]) => key.toUpperCase())),
    pullRequest: pull ? Number(pull[1]) : null,
    pickedFrom: first([...message.matchAll(PICKED)].map(([, hash]) => hash)),
    reverts: first([...message.matchAll(REVERTS)].map(([, hash]) => hash)),
  }
}

const first = (names: string[]) => [...new Set(names)].slice(0, MAX_NAMES)

/** Returns whether the service made a commit, for example to write a version. */
export function isOwnWork({ message }: Pick<Commit, 'message'>): boolean {
  return (
    message.includes('Tarmac-Request: ') &&
    OWN_WORK.test(message) &&
    !message.includes('(cherry picked from commit ')
  )
}

/** Returns a message without the lines that a cherry-pick or the service added. */
export function plainMessage(message: string): string {
  if (!message.includes('(cherry picked from commit ') && !OWN_WORK.test(message)) {
    return message.trim()
  }
  return message
    .split('\n')
    .filter((line) => !line.startsWith('(cherry picked from commit ') && !OWN_WORK.test(line))
    .join('\n')
    .trim()
}

/** Returns the first line of a message. */
export const subjectOf = (message: string): string => message.split('\n', 1)[0].trim()
