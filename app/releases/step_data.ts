import { Type } from '@sinclair/typebox'
import { ActorEntity, instant, named, nullable } from '#foundation/core/schemas'
import type { ApprovalsFacts, ListingFacts } from './engine/facts.js'
import type { RunRow } from './queries/run_rows.js'
import type { Localization } from './store_texts.js'

const nothing = (name: string, of: string) =>
  named(
    name,
    Type.Object({}, { maxProperties: 0, description: `${of} whose type has no data: empty.` })
  )

/** Of steps whose type has no data of its own. */
export const OtherReleaseStepData = nothing('OtherReleaseStepData', 'A step')

/** Of runs whose type has no data of its own. */
export const OtherStepRunData = nothing('OtherStepRunData', 'A run of a step')

const storeText = (description: string) => Type.Optional(Type.String({ description }))

/** The texts of one locale; a text that was never set, or was removed, is absent. */
export const LocalizationEntity = named(
  'Localization',
  Type.Object({
    locale: Type.String({ description: 'BCP-47 tag in its canonical spelling, such as `en-US`.' }),
    whatsNew: storeText('What is new in the version; the release notes of Google Play.'),
    description: storeText('Description of the app (App Store).'),
    keywords: storeText('Keywords, separated by commas (App Store).'),
    promotionalText: storeText('Promotional text (App Store).'),
    supportUrl: storeText('Address of the support page (App Store).'),
    marketingUrl: storeText('Address of the marketing page (App Store).'),
    title: storeText('Title of the app (Google Play).'),
    shortDescription: storeText('Short description (Google Play).'),
    fullDescription: storeText('Full description (Google Play).'),
  } satisfies Record<keyof Localization, unknown>)
)

const decision = {
  approved: nullable(
    Type.Boolean({
      description:
        'Whether the run is approved as a whole. Null on an approvals step as long as nobody said so: its items decide.',
    })
  ),
  comment: nullable(Type.String({ description: 'What was said to it; null when nothing was.' })),
  decidedBy: nullable(ActorEntity, {
    description: 'Who approved it or withdrew that last; null before.',
  }),
  decidedAt: nullable(
    instant({ description: 'When it was approved or that was withdrawn; null before.' })
  ),
}

export const ApprovalStepRunData = named('ApprovalStepRunData', Type.Object(decision))

export const MetadataStepRunData = named(
  'MetadataStepRunData',
  Type.Object({
    localizations: Type.Array(LocalizationEntity, {
      description: 'The store texts by locale, in the order of the locales; empty at first.',
    }),
    editedBy: nullable(ActorEntity, {
      description: 'Who last changed the texts; null before.',
    }),
    ...decision,
  })
)

/** What a run shows that people approve or not; undefined for runs of other types. */
export function decisionData({ type, facts, notes }: RunRow): Record<string, unknown> | undefined {
  const { comment = null, decidedBy = null, decidedAt = null } = notes
  const told = { comment, decidedBy, decidedAt }
  switch (type) {
    case 'approvals':
      return { approved: (facts as Partial<ApprovalsFacts>).handSet ?? null, ...told }
    case 'screenshots':
      return { approved: isApproved(facts), ...told }
    case 'metadata': {
      const { localizations = [], editedBy = null } = notes
      return { localizations, editedBy, approved: isApproved(facts), ...told }
    }
    default:
      return undefined
  }
}

const isApproved = (facts: RunRow['facts']) => (facts as Partial<ListingFacts>).approved ?? false
