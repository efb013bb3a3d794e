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

const triedOf = (call: FormCall) => ({ ...requestOf(call), query: { dryRun: true } })

/** Looks for what is wrong with a text. */
export const checkForm = form({
  ...shared,
  path: addresses.configurationCheck,
  request: triedOf,
  shows: checkedPage,
})

/** Previews the outcome of a text. */
export const planForm = form({
  ...shared,
  path: addresses.configurationPlan,
  request: triedOf,
  shows: plannedPage,
})

/** Changes the app by the text whose plan was seen. */
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
