import type { Scope } from '#foundation/core/scope'
import { askAboutCode, type ReportedCode } from './ask_about_code.js'
import { isUnknownTicket } from '../triage/ask_about_ticket.js'

/** Time limit for the answers of the code host and the issue trackers. */
const TIMEOUT_MS = 5000

/** Reports of providers about a fix request that is not stored yet. */
export interface ReportedFix {
  code?: ReportedCode
  /** True if no tracker of the app has the ticket. */
  isTicketUnknown: boolean
}

/** The code and the ticket that a fix request names. */
interface NamedSources {
  commitHashes?: string[]
  pullRequestNumbers?: number[]
  ticketId?: string | null
}

/** Asks the code host and the issue trackers about the code and the ticket of a fix request. */
export async function askAboutFix(
  scope: Scope,
  release: { appId: string; releaseId: string },
  named: NamedSources
): Promise<ReportedFix> {
  const { ticketId } = named
  const [code, isTicketUnknown] = await Promise.all([
    askAboutCode(scope, release, named, TIMEOUT_MS),
    ticketId ? isUnknownTicket(scope, release.appId, ticketId, TIMEOUT_MS) : false,
  ])
  return { code, isTicketUnknown }
}
