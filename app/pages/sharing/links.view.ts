import type { ReleaseLinkEntity } from '#releases/links/link_entities'
import type { Reported } from '../ask.js'
import { addresses, addressOf } from '../addresses.js'
import { questionView } from '../components/question.view.js'
import type { PageCall, PageView } from '../frame/page.js'
import type { Release } from '../release/answers.js'
import type { ReleaseOfApp } from '../release/read_pair.js'
import { appName } from '../words/names.js'
import { actorName } from '../words/plain.js'
import { inSentence } from '../words/times.js'

type Call = Pick<PageCall, 'reader' | 'params'>

interface Answers {
  app: ReleaseOfApp['app']
  release: Release
  links: readonly ReleaseLinkEntity[]
}

/** Returns the view of the links of a release: what they show, and who made them. */
export function linksView({ app, release, links }: Answers, { reader, params }: Call) {
  const mayEdit = reader.may('revokeReleaseLink')
  return {
    title: `Share · ${release.version}`,
    place: null,
    pollSeconds: null,
    isSecret: true,
    heading: `Share ${appName(app)} ${release.version}`,
    rows: links.map(({ id, url, createdBy, createdAt, expiresAt }, index) => ({
      field: `link-${index}`,
      label: `Link ${index + 1}`,
      url,
      made: `Created by ${actorName(createdBy)}, ${inSentence(createdAt, reader)}`,
      ends: endText(expiresAt, reader),
      revoke: mayEdit ? addressOf(addresses.revokeLink, { ...params, releaseLinkId: id }) : null,
    })),
    create: mayEdit ? addressOf(addresses.links, params) : null,
    back: addressOf(addresses.release, params),
  } satisfies PageView & Record<string, unknown>
}

function endText(expiresAt: string | null, reader: Call['reader']): string {
  if (expiresAt === null) return 'It ends 30 days after the release is over.'
  return `It ${expiresAt > reader.now ? 'ends' : 'ended'} ${inSentence(expiresAt, reader)}.`
}

/** Returns the view of the confirmation before a link is revoked. */
export const revokeLinkView = (
  { body: { createdBy, createdAt }, etag }: Reported<ReleaseLinkEntity>,
  { reader, params }: Call
) =>
  questionView(null, {
    title: 'Revoke the link',
    lines: [
      `${actorName(createdBy)} created it ${inSentence(createdAt, reader)}.`,
      'From then on, the address shows nothing. A new link has a new address.',
    ],
    action: addressOf(addresses.revokeLink, params),
    tag: etag,
    verb: 'Revoke',
    cancel: addressOf(addresses.links, params),
  })
