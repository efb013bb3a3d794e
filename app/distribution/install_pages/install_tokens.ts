import { later, type Instant } from '#foundation/core/clock'
import { HOUR, SECOND } from '#foundation/core/durations'
import { SignedIds, SignedTexts } from '#foundation/core/signed_texts'

/** The uses of tickets, and their lifetime after the page was shown, in milliseconds. */
const TICKETS = {
  /** Long enough to read the page and to tap. */
  manifest: HOUR,
  /** Long enough for 4 GiB over a slow line, with interruptions. */
  package: 6 * HOUR,
  smallIcon: 6 * HOUR,
  largeIcon: 6 * HOUR,
} as const
export type TicketUse = keyof typeof TICKETS

/** A build that a link gives access to, until a time. */
interface Ticket {
  linkId: string
  buildId: string
  expiresAt: Instant
}

/** The ids of links and builds without their prefixes: 20 digits of base 62. */
const LINK = 'link_'
const BUILD = 'build_'
const CHALLENGE_FORM = /^([0-9A-Za-z]{20})([0-9a-z]{7})([\w-]{22})$/
const TICKET_FORM = /^([0-9A-Za-z]{20})([0-9A-Za-z]{20})([0-9a-z]{7})([\w-]{22})$/

const signed = new SignedTexts('tarmac install links')
const pages = new SignedIds(signed, LINK)

/**
 * The token in the address of a link's page. It is made of the link's id, so nothing secret is
 * stored, and the address can be shown again.
 */
export const pageToken = (linkId: string): string => pages.tokenOf(linkId)

/** Returns the id of a token's link; null if this service did not make the token. */
export const linkOfToken = (token: string): string | null => pages.idOf(token)

/**
 * Returns a ticket for one use of one build by one link. Devices send neither our headers nor our
 * cookies when they install, so each address itself has to prove the right to access.
 */
export function writeTicket(
  use: TicketUse,
  { linkId, buildId }: Pick<Ticket, 'linkId' | 'buildId'>,
  now: Instant
): string {
  const text =
    linkId.slice(LINK.length) + buildId.slice(BUILD.length) + encodedEnd(TICKETS[use], now)
  return text + signed.sign(use, text)
}

/** Encodes the time after some milliseconds in seven characters, in seconds and base 36. */
const encodedEnd = (milliseconds: number, now: Instant) =>
  Math.floor((Date.parse(now) + milliseconds) / SECOND)
    .toString(36)
    .padStart(7, '0')

const decodedEnd = (ends: string) =>
  later('1970-01-01T00:00:00.000Z', Number.parseInt(ends, 36) * SECOND)

/** Returns the content of a ticket; null unless this service made it for this use. */
export function readTicket(use: TicketUse, token: string): Ticket | null {
  const [, link, build, ends, tag] = TICKET_FORM.exec(token) ?? []
  if (link === undefined || !signed.isSigned(use, link + build + ends, tag)) return null
  return { linkId: LINK + link, buildId: BUILD + build, expiresAt: decodedEnd(ends) }
}

/** Returns the challenge for a device that a link asks to identify itself, valid for an hour. */
export function writeChallenge(linkId: string, now: Instant): string {
  const text = linkId.slice(LINK.length) + encodedEnd(HOUR, now)
  return text + signed.sign('challenge', text)
}

/** Returns whether a challenge belongs to a link and has not expired. */
export function isChallengeOf(linkId: string, challenge: string, now: Instant): boolean {
  const [, link, ends, tag] = CHALLENGE_FORM.exec(challenge) ?? []
  if (link === undefined || LINK + link !== linkId) return false
  return signed.isSigned('challenge', link + ends, tag) && decodedEnd(ends) > now
}
