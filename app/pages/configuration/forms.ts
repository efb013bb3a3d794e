import { refuse } from '#foundation/core/problems/problem'
import { addresses } from '../addresses.js'
import { textOf } from '../frame/fields.js'
import { form, type FormCall } from '../frame/page.js'
import { counted } from '../words/numbers.js'
import { markOf, textIn } from './answers.js'
import { checkedPage, configurationPage, plannedPage } from './page.js'

const shared = {
  operation: 'changeAppFromConfiguration',
  shownOn: { page: configurationPage },
} as const

const requestOf = ({ params, fields }: FormCall) => ({
  params: { appId: params.appId },
  body: { bytes: Buffer.from(textIn(fields)), contentType: 'application/yaml' },
})

const dryRunOf = (call: FormCall) => ({ ...requestOf(call), query: { dryRun: true } })

/** Checks a text. */
export const checkForm = form({
  ...shared,
  path: addresses.configurationCheck,
  request: dryRunOf,
  shows: checkedPage,
})

/** Plans the changes of a text. */
export const planForm = form({
  ...shared,
  path: addresses.configurationPlan,
  request: dryRunOf,
  shows: plannedPage,
})

/** Changes the app by a text. If it was planned, it must be the text of the plan. */
export const applyForm = form({
  ...shared,
  path: addresses.configuration,
  request(call) {
    const planned = textOf(call.fields, 'planned')
    if (planned !== null && planned !== markOf(textIn(call.fields))) throw refuse('plan_outdated')
    return requestOf(call)
  },
  done: ({ answer }) => ({ said: withWarnings('Applied', answer) }),
})

/** Reports success, with the warnings about the text. */
export function withWarnings(done: string, answer: unknown): string {
  const { warnings = [] } = answer as { warnings?: { message: string }[] }
  const heading =
    warnings.length > 0 ? `${done}, with ${counted(warnings.length, 'warning')}:` : `${done}.`
  return [heading, ...warnings.map(({ message }) => message)].join(' ')
}
