import { DateTime } from 'luxon'
import type { ChatBlock, ChatMessage } from '#plugin-kit/capabilities/work'
import type { Line } from './tables.js'

/** The content of a message. */
export interface Facts {
  /** The app with its platform. */
  app: string
  /** Null for what belongs to no release. */
  version: string | null
  lines: readonly Line[]
  /** Reasons why the release does not move, and who can help. */
  waiting: readonly { message: string; who: readonly string[] }[]
  /** Warnings that block nothing. */
  warnings: readonly { message: string; who: readonly string[] }[]
  /** The next automatic action; null for none. */
  next: { at: string; message: string } | null
  /** The time zone in which instants are shown. */
  zone: string
  /** The page that shows it; null if the service has no public address. */
  link: { label: string; url: string } | null
}

/** Most conditions and people that a message names. */
const MAX_CONDITIONS = 3
const MAX_PEOPLE = 4

/** Returns a message for people: what happened, why it does not move, and who is next. */
export function compose(facts: Facts): ChatMessage {
  return composeLines(facts, facts.lines.map(lineText), [])
}

/** Composes a message of lines, with some facts before the usual ones. */
export function composeLines(
  facts: Omit<Facts, 'lines'>,
  lines: readonly string[],
  first: readonly { label: string; text: string }[]
): ChatMessage {
  const heading = facts.version === null ? facts.app : `${facts.app} ${facts.version}`
  const readable = (text: string) => withLocalTimes(text, facts.zone)
  const texts = lines.map(readable)
  const about = [
    ...first,
    ...listed('Waiting for', facts.waiting),
    ...listed('Note', facts.warnings),
    ...nextAction(facts),
  ].map(({ label, text }) => ({
    label,
    text: readable(text),
  }))
  const blocks: ChatBlock[] = [
    { kind: 'heading', value: heading },
    { kind: 'text', value: texts.join('\n') },
    ...(about.length > 0 ? [{ kind: 'facts' as const, value: about }] : []),
    ...(facts.link ? [{ kind: 'link' as const, value: facts.link }] : []),
  ]
  const text = [
    heading,
    ...texts,
    ...about.map(({ label, text: value }) => `${label}: ${value}`),
    ...(facts.link ? [`${facts.link.label}: ${facts.link.url}`] : []),
  ].join('\n')
  return { text, blocks }
}

/** Returns a line as text: the event, its actor, the comment and the people who are called. */
export function lineText({ what, by, comment, call }: Line): string {
  const who = by === null ? '' : ` (${by})`
  // The text names them, as the chat may not know all of them.
  const called = call && call.length > 0 ? `\nCalled: ${call.join(', ')}` : ''
  return `${what}${who}${comment === null ? '' : `\n“${comment}”`}${called}`
}

function listed(label: string, conditions: Facts['waiting']) {
  const shown = conditions.slice(0, MAX_CONDITIONS).map(({ message, who }) => {
    const people = who.slice(0, MAX_PEOPLE)
    const more = who.length - people.length
    const named = more > 0 ? [...people, `${more} more`] : people
    return { label, text: named.length > 0 ? `${message} → ${named.join(', ')}` : message }
  })
  const more = conditions.length - shown.length
  return more > 0 ? [...shown, { label, text: `${more} more` }] : shown
}

const nextAction = ({ next }: Pick<Facts, 'next'>) =>
  next === null
    ? []
    : [{ label: 'Automatically', text: `${next.message.replace(/\.$/, '')}, ${next.at}` }]

const INSTANT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g

/** Composes events of a release for the history below its message. */
export function composeHistory({ lines, zone, link }: Pick<Facts, 'lines' | 'zone' | 'link'>) {
  const value = withLocalTimes(lines.map(lineText).join('\n'), zone)
  const blocks: ChatBlock[] = [
    { kind: 'text', value },
    ...(link ? [{ kind: 'link' as const, value: link }] : []),
  ]
  const text = link ? `${value}\n${link.label}: ${link.url}` : value
  return { text, blocks } satisfies ChatMessage
}

/** Replaces instants in a text by local times. */
function withLocalTimes(text: string, zone: string): string {
  return text.replace(INSTANT, (instant) => {
    const at = DateTime.fromISO(instant, { zone })
    if (!at.isValid) return instant
    return at.setLocale('en-GB').toFormat("ccc d LLL yyyy HH:mm '('z')'")
  })
}
