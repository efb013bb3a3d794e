import type { Scope } from '#foundation/core/scope'
import { askAboutCode, type ReportedCode } from './ask_about_code.js'
import { isUnknownTicket } from '../triage/ask_about_ticket.js'

/** The time the requester of a fix waits for hosts and trackers, in milliseconds. */
const PATIENCE = 5000

/** What providers reported about a fix request before anything is stored. */
export interface Reported {
  code?: ReportedCode
  /** True if no tracker of the app has the ticket. */
  isTicketUnknown: boolean
}

interface Named {
  commitHashes?: string[]
  pullRequestNumbers?: number[]
  ticketId?: string | null
}

/** Asks the host of the code and the issue trackers about what a fix request names. */
export async function prefetch(
  scope: Scope,
  place: { appId: string; releaseId: string },
  named: Named
): Promise<Reported> {
  const { ticketId } = named
  const [code, isTicketUnknown] = await Promise.all([
    askAboutCode(scope, place, named, PATIENCE),
    ticketId ? isUnknownTicket(scope, place.appId, ticketId, PATIENCE) : false,
  ])
  return { code, isTicketUnknown }
}
