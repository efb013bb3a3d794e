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
    Type.Object({}, { maxProperties: 0, description: `Empty data ${of} whose type has none.` })
  )

/** The data of steps whose type has no data of its own. */
export const OtherReleaseStepData = nothing('OtherReleaseStepData', 'for a step')

/** The data of runs whose type has no data of its own. */
export const OtherStepRunData = nothing('OtherStepRunData', 'for a run of a step')

const storeText = (what: string) =>
  Type.Optional(Type.String({ description: `${what}; absent if none.` }))

/** The texts of one locale; a text that was never set, or was removed, is absent. */
const LocalizationEntity = entity('Localization', 'The store texts of one locale.', {
  locale: nonEmpty('BCP-47 tag in its canonical spelling, such as `en-US`.', 35),
  whatsNew: storeText("What's new in the version (release notes on Google Play)"),
  description: storeText('Description of the app (App Store)'),
  keywords: storeText('Keywords, separated by commas (App Store)'),
  promotionalText: storeText('Promotional text (App Store)'),
  supportUrl: storeText('Support URL (App Store)'),
  marketingUrl: storeText('Marketing URL (App Store)'),
  title: storeText('Title of the app (Google Play)'),
  shortDescription: storeText('Short description (Google Play)'),
  fullDescription: storeText('Full description (Google Play)'),
} satisfies Record<keyof Localization, unknown>)

const decision = {
  comment: nullable(text('Comment; null if none.', 10_000)),
  decidedBy: nullable(
    described('Who last approved it or withdrew approval; null if nobody.', ActorEntity)
  ),
  decidedAt: nullable(instant('When approval was last given or withdrawn, in UTC; null if never.')),
}

export const ApprovalStepRunData = entity(
  'ApprovalStepRunData',
  'Data of a run of an approvals or screenshots step.',
  {
    approved: nullable(
      flag(
        'Whether the run is approved as a whole; null on an approvals step while its items decide.'
      )
    ),
    ...decision,
  }
)

export const MetadataStepRunData = entity(
  'MetadataStepRunData',
  'Data of a run of a metadata step.',
  {
    localizations: list('Store texts, ordered by locale; empty at first.', LocalizationEntity, 200),
    editedBy: nullable(described('Who last changed the texts; null if nobody.', ActorEntity)),
    approved: flag('Whether the current texts are approved.'),
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
