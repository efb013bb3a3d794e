import type { Scope } from '#foundation/core/scope'
import { askAboutCode, type ToldCode } from './ask_about_code.js'
import { isUnknownTicket } from '../triage/ask_about_ticket.js'

/** How long whoever requests a fix waits for what hosts and trackers know, in milliseconds. */
const PATIENCE = 5000

/** What others told of what a fix request names, before anything is stored. */
export interface Told {
  code?: ToldCode
  /** Whether no tracker of the app has the ticket. */
  isTicketUnknown: boolean
}

interface Named {
  commitHashes?: string[]
  pullRequestNumbers?: number[]
  ticketId?: string | null
}

/** Asks the host of the code and the issue trackers about what a fix request names. */
export async function askAhead(
  scope: Scope,
  place: { appId: string; releaseId: string },
  named: Named
): Promise<Told> {
  const { ticketId } = named
  const [code, isTicketUnknown] = await Promise.all([
    askAboutCode(scope, place, named, PATIENCE),
    ticketId ? isUnknownTicket(scope, place.appId, ticketId, PATIENCE) : false,
  ])
  return { code, isTicketUnknown }
}
