import { Type } from '@sinclair/typebox'
import {
  ActorEntity,
  described,
  entity,
  flag,
  instant,
  list,
  named,
  nonEmpty,
  nullable,
  text,
} from '#foundation/core/schemas'
import type { ApprovalsFacts, ListingFacts } from '../engine/facts.js'
import type { RunRow } from '../queries/run_rows.js'
import type { Localization } from '../texts/store_texts.js'

const nothing = (name: string, of: string) =>
  named(
    name,
    Type.Object({}, { maxProperties: 0, description: `${of} whose type has no data: empty.` })
  )

/** The data of steps whose type has no data of its own. */
export const OtherReleaseStepData = nothing('OtherReleaseStepData', 'A step')

/** The data of runs whose type has no data of its own. */
export const OtherStepRunData = nothing('OtherStepRunData', 'A run of a step')

const storeText = (what: string) =>
  Type.Optional(Type.String({ description: `${what}; absent while there is none.` }))

/** The texts of one locale; a text that was never set, or was removed, is absent. */
const LocalizationEntity = entity('Localization', 'The store texts of one locale.', {
  locale: nonEmpty('BCP-47 tag in its canonical spelling, such as `en-US`.', 35),
  whatsNew: storeText('What is new in the version, which Google Play calls release notes'),
  description: storeText('Description of the app (App Store)'),
  keywords: storeText('Keywords, separated by commas (App Store)'),
  promotionalText: storeText('Promotional text (App Store)'),
  supportUrl: storeText('Address of the support page (App Store)'),
  marketingUrl: storeText('Address of the marketing page (App Store)'),
  title: storeText('Title of the app (Google Play)'),
  shortDescription: storeText('Short description (Google Play)'),
  fullDescription: storeText('Full description (Google Play)'),
} satisfies Record<keyof Localization, unknown>)

const decision = {
  comment: nullable(text('What was said to it; null for nothing.', 10_000)),
  decidedBy: nullable(
    described('Who approved it or withdrew that last; null before.', ActorEntity)
  ),
  decidedAt: nullable(instant('When it was approved or that was withdrawn, in UTC; null before.')),
}

export const ApprovalStepRunData = entity(
  'ApprovalStepRunData',
  'What a run of an approvals or screenshots step holds.',
  {
    approved: nullable(
      flag(
        'Whether the run is approved as a whole; null on an approvals step while nobody said so: its items decide.'
      )
    ),
    ...decision,
  }
)

export const MetadataStepRunData = entity(
  'MetadataStepRunData',
  'What a run of a metadata step holds.',
  {
    localizations: list(
      'The store texts by locale, in the order of the locales; empty at first.',
      LocalizationEntity,
      200
    ),
    editedBy: nullable(described('Who last changed the texts; null before.', ActorEntity)),
    approved: flag('Whether the texts are approved as they are.'),
    ...decision,
  }
)

/** Returns the approval data of a run; undefined for runs of other types. */
export function decisionData({ type, facts, notes }: RunRow): Record<string, unknown> | undefined {
  const { comment = null, decidedBy = null, decidedAt = null } = notes
  const reported = { comment, decidedBy, decidedAt }
  switch (type) {
    case 'approvals':
      return { approved: (facts as Partial<ApprovalsFacts>).handSet ?? null, ...reported }
    case 'screenshots':
      return { approved: isApproved(facts), ...reported }
    case 'metadata': {
      const { localizations = [], editedBy = null } = notes
      return { localizations, editedBy, approved: isApproved(facts), ...reported }
    }
    default:
      return undefined
  }
}

const isApproved = (facts: RunRow['facts']) => (facts as Partial<ListingFacts>).approved ?? false
