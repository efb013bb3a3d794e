import { APP_PLATFORMS } from '#apps/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { choicesView, fieldView } from '../components/field.view.js'
import { questionView } from '../components/question.view.js'
import { FORGET, FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { changedMeanwhile } from '../release/changed.js'
import { platformName } from '../words/names.js'
import { inSentence } from '../words/times.js'
import type { Endpoint, EndpointFormAnswers, MadeEndpoint, Rotated } from './answers.js'
import { ALL, HEADERS } from './words.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

/** Returns the view of the form that creates or changes an endpoint. */
export function endpointFormView(
  { endpoint, tag, apps, types }: EndpointFormAnswers,
  { refused, reader, params }: Call
) {
  const action = addressOf(endpoint ? addresses.editWebhook : addresses.webhooks, params)
  const state = new FormState(refused, action)
  const isOf = (all: readonly string[] | null | undefined, value: string) =>
    all?.includes(value) ?? false
  const names = endpoint?.headerNames ?? []
  const typedNames = namesOf(state.text(HEADERS))
  const deletedApps = endpoint?.appIds?.filter((id) => !apps.some((app) => app.id === id)) ?? []
  return {
    title: endpoint ? 'Change the endpoint' : 'Add an endpoint',
    place: 'webhooks',
    pollSeconds: null,
    isSecret: true,
    ...changedMeanwhile(refused, reader),
    action,
    isNew: endpoint === null,
    tag: seenTag(tag, action, refused),
    cancel: addressOf(endpoint ? addresses.webhook : addresses.webhooks, params),
    verb: endpoint ? 'Change the endpoint' : 'Add the endpoint',
    fields: [
      fieldView(state, {
        id: 'url',
        label: 'Address',
        hint: 'https, on port 443 or 8443, such as https://hooks.example.com/tarmac.',
        stored: endpoint?.url,
      }),
      fieldView(state, {
        id: 'description',
        label: 'What it is for (optional)',
        stored: endpoint?.description ?? '',
      }),
    ],
    choices: [
      choicesView(state, {
        id: 'events',
        label: 'Events',
        options: [
          {
            value: ALL,
            label: 'All events',
            hint: 'Includes events of later versions. Excludes other choices.',
            isOn: endpoint ? endpoint.events.includes(ALL) : true,
          },
          ...types.map(({ type, summary }) => ({
            value: type,
            label: type,
            hint: summary,
            isOn: isOf(endpoint?.events, type),
          })),
        ],
      }),
      choicesView(state, {
        id: 'appIds',
        label: 'Apps',
        options: [
          {
            value: ALL,
            label: 'All apps',
            hint: 'Includes new apps. Excludes other choices.',
            isOn: !endpoint?.appIds,
          },
          ...apps.map(({ id, name, platform }) => ({
            value: id,
            label: name,
            hint: platformName(platform),
            isOn: isOf(endpoint?.appIds, id),
          })),
          ...deletedApps.map((id) => ({
            value: id,
            label: id,
            hint: 'No longer there.',
            isOn: true,
          })),
        ],
      }),
      choicesView(state, {
        id: 'platforms',
        label: 'Only of these platforms',
        options: APP_PLATFORMS.map((value) => ({
          value,
          label: platformName(value),
          isOn: isOf(endpoint?.platforms, value),
        })),
      }),
    ],
    appsBefore: endpoint ? (endpoint.appIds ?? [ALL]) : [],
    headers: {
      ...fieldView(state, {
        id: HEADERS,
        label: 'Custom headers (optional)',
        hint: typedNames
          ? 'Their values are not shown again. Enter each value again.'
          : names.length > 0
            ? `There are: ${names.join(', ')}. Their values are never shown. Leave this empty to keep them.`
            : 'One per line, such as “x-team: ios”. Their values are never shown again.',
        type: 'area',
      }),
      value: typedNames,
    },
    drop:
      names.length > 0
        ? choicesView(state, {
            id: FORGET,
            label: 'Or none',
            options: [{ value: HEADERS, label: 'Remove the headers' }],
          })
        : null,
    limits: [
      fieldView(state, {
        id: 'timeoutSeconds',
        label: 'Seconds that an attempt may take',
        hint: '5 to 30.',
        stored: String(endpoint?.timeoutSeconds ?? 15),
      }),
      fieldView(state, {
        id: 'maxPerSecond',
        label: 'Maximum attempts per second (optional)',
        hint: '1 to 100; unlimited if empty.',
        stored: endpoint?.maxPerSecond ? String(endpoint.maxPerSecond) : '',
      }),
    ],
    signing: choicesView(state, {
      id: 'asymmetric',
      label: 'Signatures',
      options: [
        {
          value: 'true',
          label: 'Sign with Ed25519, too',
          hint: 'In addition to the secret: receivers then verify with a public key.',
          isOn: endpoint?.asymmetric ?? false,
        },
      ],
    }),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the typed headers without their values, which are secret. */
const namesOf = (typed: string): string =>
  typed
    .split('\n')
    .flatMap((line) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*:/.exec(line)?.[1] ?? [])
    .map((name) => `${name}: `)
    .join('\n')

/** Hours for which the former secret can sign beside the new one. */
const GRACES = [
  ['0', 'It ends at once'],
  ['1', 'For an hour'],
  ['24', 'For a day'],
  ['168', 'For a week'],
] as const

/** Returns the view of the form that rotates the secret of an endpoint. */
export function rotateSecretView({ url }: Endpoint, { refused, params }: Call) {
  const action = addressOf(addresses.rotateWebhook, params)
  return {
    title: 'Rotate the secret',
    place: 'webhooks',
    pollSeconds: null,
    isSecret: true,
    action,
    cancel: addressOf(addresses.webhook, params),
    url,
    grace: choicesView(new FormState(refused, action), {
      id: 'graceHours',
      label: 'The current secret keeps signing',
      hint: 'Time to give the receiver the new one: until then every attempt carries both signatures.',
      options: GRACES.map(([value, label]) => ({ value, label, isOn: value === '24' })),
    }),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of a new secret, which is shown only once. */
const secretView = (
  heading: string,
  { secret, publicKeys }: Pick<Rotated, 'secret' | 'publicKeys'>,
  lines: readonly string[],
  back: string
) =>
  ({
    title: heading,
    place: 'webhooks',
    pollSeconds: null,
    isSecret: true,
    heading,
    secret,
    publicKeys,
    lines,
    back,
  }) satisfies PageView & Record<string, unknown>

/** Returns the view of an endpoint that was just created. */
export function madeEndpointView(created: MadeEndpoint, { params }: Call) {
  const back = addressOf(addresses.webhook, { ...params, endpointId: created.id })
  return secretView('Added the endpoint', created, [`It signs what goes to ${created.url}.`], back)
}

/** Returns the view of the new secret of an endpoint. */
export function rotatedSecretView(
  { rotated, endpoint }: { rotated: Rotated; endpoint: Endpoint },
  { reader, params }: Call
) {
  const ends = rotated.keys.find(({ kind, expiresAt }) => kind === 'v1' && expiresAt !== null)
  const lines = [
    `It signs what goes to ${endpoint.url}.`,
    ends
      ? `The previous secret also signs until ${inSentence(ends.expiresAt!, reader)}.`
      : 'The previous secret no longer signs.',
  ]
  const back = addressOf(addresses.webhook, params)
  return secretView('Rotated the secret', rotated, lines, back)
}

/** Returns the view of the confirmation before an endpoint is deleted. */
export function deleteEndpointView(
  { endpoint, tag }: { endpoint: Endpoint; tag: string },
  { reader, refused, params }: Call
) {
  const action = addressOf(addresses.deleteWebhook, params)
  const question = questionView('webhooks', {
    title: 'Delete the endpoint',
    lines: [
      `Nothing is sent to ${endpoint.url} any more.`,
      'Its deliveries and their log are deleted with it. This cannot be undone.',
    ],
    action,
    tag: seenTag(tag, action, refused),
    verb: 'Delete',
    cancel: addressOf(addresses.webhook, params),
  })
  return { ...question, ...changedMeanwhile(refused, reader) }
}
