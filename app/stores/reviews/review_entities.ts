import { Type, type Static } from '@sinclair/typebox'
import { STORE_KINDS } from '#apps/vocabulary'
import {
  count,
  described,
  entity,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  Pagination,
  text,
  words,
} from '#foundation/core/schemas'
import { askedMembers } from '../asked_members.js'
import { MOST_OF_REPLY, RESPONSE_STATES, SENTIMENTS } from '../vocabulary.js'

const AppStoreReviewDestinationEntity = entity(
  'AppStoreReviewDestinationEntity',
  'The store that a review was written in.',
  {
    id: nullable(id('Id of the destination; null for the first store of the app.')),
    name: nonEmpty('Name of the destination, or of the store.', 200),
    storeType: words(STORE_KINDS, 'The kind of store.'),
  }
)

const AppStoreReviewDataEntity = entity(
  'AppStoreReviewDataEntity',
  'What the store reports of a review beside its words.',
  {
    device: nullable(text('Device it was written on; null if the store does not report it.', 200)),
    osVersion: nullable(text('Version of its system; null if the store does not report it.', 64)),
    androidVersionCode: nullable(
      count('Version code of the app; null if the store does not report it.')
    ),
    developerResponse: nullable(
      object('What the developer answered; null without an answer.', {
        body: text('The answer.', 10_000),
        at: instant('When it was last seen to be so, in UTC.'),
        state: words(
          RESPONSE_STATES,
          'Whether users see it; `pending` until the store has published it.'
        ),
      })
    ),
  }
)

const AppStoreReviewReplyEntity = entity(
  'AppStoreReviewReplyEntity',
  'The last answer to a review that was asked for here.',
  { text: text('The answer.', MOST_OF_REPLY.apple), ...askedMembers }
)

export const AppStoreReviewEntity = entity('AppStoreReviewEntity', 'A review in an app store.', {
  id: id('Id of the review.'),
  rating: Type.Integer({ description: 'Stars, 1 to 5.', minimum: 1, maximum: 5 }),
  title: nullable(text('Its title; null without one.', 1000)),
  body: text('What was written.', 20_000),
  author: text('Name that the store shows; empty if it shows none.', 200),
  locale: nonEmpty('Language of the review as BCP 47; `und` if the store does not report it.', 35),
  territory: nullable(nonEmpty('Country or region; null if the store does not report it.', 16)),
  version: nullable(
    nonEmpty('Version that was reviewed; null if the store does not report it.', 64)
  ),
  createdAt: instant('When it was written, in UTC.'),
  destination: described('The store it was written in.', AppStoreReviewDestinationEntity),
  data: described('What the store reports beside it.', AppStoreReviewDataEntity),
  reply: nullable(
    described(
      'The answer that was asked for here last; null without one, and once the store has another since.',
      AppStoreReviewReplyEntity
    )
  ),
  sentiment: words(SENTIMENTS, 'By its stars: 4 and more are positive, 3 neutral.'),
  issueIds: list('Ids of the issues that it is part of.', id('Id of an issue.'), 100),
})

const AppStoreReviewsIssueEntity = entity(
  'AppStoreReviewsIssueEntity',
  'Something that several reviews of at most three stars speak of.',
  {
    id: id('Id of the issue: the same words have the same one.'),
    title: nonEmpty('The word that they share, as it was most often written.', 200),
    reviewCount: count('How many reviews speak of it.'),
    trend: words(['up', 'flat', 'down'], 'The last seven days against the seven before.'),
    firstSeenAt: instant('When the first of them was written, in UTC.'),
    lastSeenAt: instant('When the last of them was written, in UTC.'),
  }
)

const stars = (number: number) => count(`Reviews of ${number} ${number === 1 ? 'star' : 'stars'}.`)

export const AppStoreReviewsEntity = entity('AppStoreReviewsEntity', 'Reviews of an app.', {
  data: list('A page of the reviews; empty behind the last one.', AppStoreReviewEntity, 200),
  pagination: described('Where the page stands in the list.', Pagination),
  summary: object('All reviews that the filters let through.', {
    averageRating: nullable(
      Type.Number({ description: 'Mean of their stars; null without any.', minimum: 1, maximum: 5 })
    ),
    ratingCount: count('How many they are.'),
    byRating: object('How many have how many stars.', {
      1: stars(1),
      2: stars(2),
      3: stars(3),
      4: stars(4),
      5: stars(5),
    }),
  }),
  issues: list(
    'What the newest 2000 of those with at most three stars speak of, the most frequent first.',
    AppStoreReviewsIssueEntity,
    20
  ),
})
export type AppStoreReviewsEntity = Static<typeof AppStoreReviewsEntity>

export const ReviewAttachmentEntity = entity(
  'AppStoreReviewAttachmentFile',
  'A file for whoever reviews the app.',
  {
    id: id('Id of the file.'),
    fileName: nonEmpty('Name of the file.', 255),
    size: count('Size in bytes.'),
  }
)
