import type { Instant } from '#foundation/core/clock'
import type { Problem } from '#foundation/core/problems/problem'
import { addresses, addressOf } from '../addresses.js'
import { renderTemplate } from './engine.js'
import type { IconName } from './icon_names.js'
import type { PageCall } from './page.js'
import type { SignedIn } from '../session/signed_in.js'

interface About {
  signedIn: SignedIn
  requestId: string
  now: Instant
}

/** The page of a problem: what is the case, and whose move it is. */
export async function problemPage(problem: Problem, { signedIn, requestId }: About) {
  const [icon, heading, text] = wordsOf(problem)
  const home = await signedIn.lastOrganization()
  const view = {
    icon,
    heading,
    text,
    who: null,
    requestId: problem.status >= 500 ? requestId : null,
    back: { href: home ? addressOf(addresses.home, { orgId: home }) : '/', name: 'Go to Home' },
  }
  const theme = signedIn.account.theme
  const frame = {
    title: heading,
    theme: theme === 'system' || !theme ? '' : ` data-theme="${theme}"`,
    live: '',
    said: null,
    refusal: null,
    navigation: null,
  }
  return renderTemplate('frame/problem', { view, frame })
}

function wordsOf(problem: Problem): [IconName, string, string] {
  if (problem.status === 403) return ['shield-alert', 'You may not see this', problem.message]
  if (problem.status === 404) {
    const text = 'There is no such page, or it belongs to an organization that you are not in.'
    return ['search', 'There is nothing here', text]
  }
  if (problem.status === 429) {
    return ['hourglass', 'Too many requests', 'Wait a moment, then load the page again.']
  }
  if (problem.status >= 500) {
    const text = 'Nothing was changed. Load the page again; if it stays, tell whoever runs Tarmac.'
    return ['octagon-alert', 'This did not work', text]
  }
  return ['circle-alert', 'This cannot be shown', problem.message]
}

/** Says who may do what was refused: the groups with the missing user action. */
export async function whoMay({ ask, reader }: PageCall, problem: Problem): Promise<string | null> {
  const missing = problem.extras.members?.missingActions
  if (!Array.isArray(missing)) return null
  const orgId = reader.principal.organization.id
  const { body } = await ask<{ name: string; userActions: string[] }[]>('listGroups', {
    params: { orgId },
  })
  const names = body
    .filter(({ userActions }) => missing.some((each) => userActions.includes(String(each))))
    .map(({ name }) => name)
  return names.length > 0 ? `${listed(names)} may do it.` : 'Only an admin may do it.'
}

/** Names in one sentence: `A, B and C`. */
function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
}
