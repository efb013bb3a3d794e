import { later, type Instant } from '#foundation/core/clock'
import { HOUR, SECOND } from '#foundation/core/durations'
import { SignedIds, SignedTexts } from '#foundation/core/signed_texts'

/** The lifetime of a ticket after the page was shown, in milliseconds, by its use. */
const TICKET_LIFETIMES = {
  /** Long enough to read the page and to tap. */
  manifest: HOUR,
  /** Long enough for 4 GiB over a slow line, with interruptions. */
  package: 6 * HOUR,
  smallIcon: 6 * HOUR,
  largeIcon: 6 * HOUR,
} as const
export type TicketUse = keyof typeof TICKET_LIFETIMES

/** A build that a link gives access to, until a time. */
interface Ticket {
  linkId: string
  buildId: string
  expiresAt: Instant
}

const LINK_PREFIX = 'link_'
const BUILD_PREFIX = 'build_'
/** The parts of a token: ids without their prefixes (20 digits of base 62), expiry, signature. */
const CHALLENGE_FORM = /^([0-9A-Za-z]{20})([0-9a-z]{7})([\w-]{22})$/
const TICKET_FORM = /^([0-9A-Za-z]{20})([0-9A-Za-z]{20})([0-9a-z]{7})([\w-]{22})$/

const signed = new SignedTexts('tarmac install links')
const pageTokens = new SignedIds(signed, LINK_PREFIX)

/**
 * Returns the token in the address of a link's page. It is made of the link's id, so nothing secret
 * is stored, and the address can be shown again.
 */
export const pageToken = (linkId: string): string => pageTokens.tokenOf(linkId)

/** Returns the id of a token's link; null if this service did not make the token. */
export const linkOfToken = (token: string): string | null => pageTokens.idOf(token)

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
    linkId.slice(LINK_PREFIX.length) +
    buildId.slice(BUILD_PREFIX.length) +
    encodedExpiry(TICKET_LIFETIMES[use], now)
  return text + signed.sign(use, text)
}

/** Encodes the expiry, some milliseconds from now, as seven digits of base 36, in seconds. */
const encodedExpiry = (milliseconds: number, now: Instant) =>
  Math.floor((Date.parse(now) + milliseconds) / SECOND)
    .toString(36)
    .padStart(7, '0')

const decodedExpiry = (expiry: string) =>
  later('1970-01-01T00:00:00.000Z', Number.parseInt(expiry, 36) * SECOND)

/** Returns the content of a ticket; null unless this service made it for this use. */
export function readTicket(use: TicketUse, token: string): Ticket | null {
  const [, link, build, expiry, signature] = TICKET_FORM.exec(token) ?? []
  if (link === undefined || !signed.isSigned(use, link + build + expiry, signature)) return null
  return {
    linkId: LINK_PREFIX + link,
    buildId: BUILD_PREFIX + build,
    expiresAt: decodedExpiry(expiry),
  }
}

/** Returns the challenge for a device that a link asks to identify itself, valid for an hour. */
export function writeChallenge(linkId: string, now: Instant): string {
  const text = linkId.slice(LINK_PREFIX.length) + encodedExpiry(HOUR, now)
  return text + signed.sign('challenge', text)
}

/** Returns whether a challenge belongs to a link and has not expired. */
export function isChallengeOf(linkId: string, challenge: string, now: Instant): boolean {
  const [, link, expiry, signature] = CHALLENGE_FORM.exec(challenge) ?? []
  if (link === undefined || LINK_PREFIX + link !== linkId) return false
  return signed.isSigned('challenge', link + expiry, signature) && decodedExpiry(expiry) > now
}
