import { addresses, addressOf } from '../addresses.js'
import { choicesView, fieldView } from '../components/field.view.js'
import { installCode } from '../components/install_code.js'
import { questionView } from '../components/question.view.js'
import { FormState, typedInstant } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { changedMeanwhile } from '../release/changed.js'
import { inSentence } from '../words/times.js'
import type { LinkAnswers, NewLinkAnswers } from './answers.js'
import { endText, testerText } from './bucket.view.js'
import { buildName } from './words.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

/** Returns the view of the form that creates an install link. */
export function newInstallLinkView(
  { bucket, builds }: NewLinkAnswers,
  { reader, refused, params, query }: Call & Pick<PageCall, 'query'>
) {
  const action = addressOf(addresses.installLinks, params)
  const state = new FormState(refused, action)
  return {
    title: 'Create an install link',
    place: null,
    pollSeconds: null,
    isSecret: true,
    bucket: { name: bucket.name, href: addressOf(addresses.bucket, params) },
    action,
    build: choicesView(state, {
      id: 'buildDistroBuildId',
      label: 'Opens',
      hint: 'The address of a link to the newest build never changes.',
      options: [
        { value: '', label: 'The newest build, whichever it is', isOn: true },
        ...builds.map((build) => ({
          value: build.id,
          label: `${buildName(build)}, ${inSentence(build.createdAt, reader)}`,
          isOn: build.id === query.build,
        })),
      ],
    }),
    email: fieldView(state, {
      id: 'email',
      label: bucket.publicLinkEnabled ? 'For whom (optional)' : 'For whom',
      hint: bucket.publicLinkEnabled
        ? 'The e-mail address of a tester. Without one, anyone with the link can install.'
        : 'The e-mail address of a tester. The bucket has no public links.',
      type: 'email',
    }),
    ends: fieldView(state, {
      id: 'expiresAt',
      label: 'Expires (optional)',
      hint: 'If empty, a link to a specific build expires in a week, and a link to the newest build never expires.',
      type: 'datetime-local',
    }),
  } satisfies PageView & Record<string, unknown>
}

function nameOf({ link, build }: LinkAnswers): string {
  if (link.buildDistroBuildId === null) return 'the newest build'
  return build ? buildName(build) : 'a build'
}

/** Returns the view of an install link, with its QR code. */
export function installLinkView(answers: LinkAnswers, { reader, refused, params }: Call) {
  const { bucket, link, tag } = answers
  const action = addressOf(addresses.installLink, params)
  const state = new FormState(refused, action)
  const endedAt = link.expiresAt === null ? '' : typedInstant(link.expiresAt, reader.zone)
  return {
    title: 'Install link',
    place: null,
    pollSeconds: null,
    ...changedMeanwhile(refused, reader),
    bucket: { name: bucket.name, href: addressOf(addresses.bucket, params) },
    heading: `Install link to ${nameOf(answers)}`,
    lines: `For ${testerText(link).replace('Anyone', 'anyone')} · ${endText(link, reader)} · created by ${link.createdBy.name}`,
    url: link.url,
    code: installCode(link.url),
    withdrawHref: addressOf(addresses.withdrawInstallLink, params),
    action,
    tag: seenTag(tag, action, refused),
    endedAt,
    ends: fieldView(state, {
      id: 'expiresAt',
      label: 'Expires (optional)',
      hint: 'Leave empty for never. A later time reopens an expired link.',
      stored: endedAt,
      type: 'datetime-local',
    }),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of the confirmation before an install link is withdrawn. */
export function withdrawLinkView(answers: LinkAnswers, { reader, refused, params }: Call) {
  const { link, tag } = answers
  const action = addressOf(addresses.withdrawInstallLink, params)
  const question = questionView(null, {
    title: 'Revoke the link',
    lines: [
      `It opens ${nameOf(answers)} for ${testerText(link).replace('Anyone', 'anyone')}.`,
      'It stops working at once, also for downloads that have not begun. This cannot be undone.',
    ],
    action,
    tag: seenTag(tag, action, refused),
    verb: 'Revoke',
    cancel: addressOf(addresses.installLink, params),
  })
  return { ...question, ...changedMeanwhile(refused, reader) }
}
