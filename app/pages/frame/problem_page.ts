import type { Problem } from '#foundation/core/problems/problem'
import { addresses, addressOf } from '../addresses.js'
import { listed } from '../words/plain.js'
import type { SignedIn } from '../session/signed_in.js'
import type { IconName } from './icon_names.js'
import type { PageCall } from './page.js'
import { navigationOf } from './places.js'
import { problemHtml } from './plain_page.js'
import { turnCountOf } from './turn_count.js'

interface ProblemContext {
  signedIn: SignedIn
  /** True if a form was carried out, and only the page after it failed. */
  isDone: boolean
  requestId: string
  /** Null if the reader does not belong to the organization, or it could not be read. */
  call: PageCall | null
}

/** Renders a problem page: what happened, and who can act on it. */
export async function problemPage(
  problem: Problem,
  { signedIn, isDone, requestId, call }: ProblemContext
): Promise<string> {
  const { email, theme } = signedIn.account
  const isOurs = problem.status >= 500
  const home = call?.reader.principal.organization.id ?? (await signedIn.lastOrganization())
  const isNowhere = problem.status === 404 && home === null
  const failed = isNowhere ? nowhere(email) : problemTexts(problem)
  const [icon, heading, text] = isDone ? DONE : failed
  return problemHtml(
    {
      icon,
      heading,
      text,
      who: call && problem.status === 403 ? await whoMay(call, problem) : null,
      requestId: isOurs ? requestId : null,
      back: home
        ? { href: addressOf(addresses.home, { orgId: home }), name: 'Go to Home' }
        : { href: '/dashboard/me', name: 'Your account' },
    },
    {
      theme,
      // After a failure of the service, the reads of the navigation may fail, too.
      navigation: call && !isOurs ? await navigationIn(call, signedIn) : null,
    }
  )
}

async function navigationIn(call: PageCall, signedIn: SignedIn) {
  const organizations = await signedIn.organizations()
  return navigationOf(call.reader, {
    organizations,
    here: null,
    turnCount: await turnCountOf(call),
  })
}

const DONE: [IconName, string, string] = [
  'octagon-alert',
  'Done, but the page after it failed',
  'Your request was carried out. A value that is shown only once cannot be shown again.',
]

/** Explains a 404 to somebody without an organization, who gets it on every page. */
const nowhere = (email: string): [IconName, string, string] => [
  'users',
  'No organization',
  `${email} belongs to no organization. Ask an admin for a sign-in link.`,
]

function problemTexts(problem: Problem): [IconName, string, string] {
  if (problem.code === 'admin_required') {
    return ['shield-alert', 'You may not see this', 'Not everybody in the organization may see it.']
  }
  if (problem.status === 403) return ['shield-alert', 'You may not see this', problem.message]
  if (problem.status === 404) {
    const text = 'There is no such page, or it belongs to an organization that you are not in.'
    return ['search', 'There is nothing here', text]
  }
  if (problem.status === 429) {
    return ['hourglass', 'Too many requests', 'Wait a moment, then load the page again.']
  }
  if (problem.status >= 500) {
    const text =
      'Nothing was changed. Load the page again; if the problem persists, tell the operator of Tarmac.'
    return ['octagon-alert', 'This did not work', text]
  }
  return ['circle-alert', 'This cannot be shown', problem.message]
}

/** Says who may do what was refused: the groups with the missing user action. */
export async function whoMay(call: PageCall, problem: Problem): Promise<string | null> {
  if (problem.code === 'admin_required') return 'Only an admin may do it.'
  const missing = problem.extras.members?.missingActions
  return Array.isArray(missing) ? `${await holdersOf(call, missing.map(String))} may do it.` : null
}

/** Returns the names of the groups that have at least one of the user actions. */
export async function holdersOf(
  { ask, reader }: Pick<PageCall, 'ask' | 'reader'>,
  actions: readonly string[]
): Promise<string> {
  const orgId = reader.principal.organization.id
  const { body } = await ask<{ name: string; userActions: string[] }[]>('listGroups', {
    params: { orgId },
  })
  const names = body
    .filter(({ userActions }) => actions.some((each) => userActions.includes(each)))
    .map(({ name }) => name)
  return names.length > 0 ? listed(names) : 'Only an admin'
}
