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
  enumOf,
} from '#foundation/core/schemas'
import { askedMembers } from '../asked_members.js'
import { MAX_OF_REPLY, RESPONSE_STATES, SENTIMENTS } from '../vocabulary.js'

const AppStoreReviewDestinationEntity = entity(
  'AppStoreReviewDestinationEntity',
  'The store of a review.',
  {
    id: nullable(id('Id of the destination; null for the first store of the app.')),
    name: nonEmpty('Name of the destination, or of the store.', 200),
    storeType: enumOf(STORE_KINDS, 'Kind of store.'),
  }
)

const AppStoreReviewDataEntity = entity(
  'AppStoreReviewDataEntity',
  'What the store reports of a review besides its text.',
  {
    device: nullable(text('Device of the author; null if not reported.', 200)),
    osVersion: nullable(text('Version of the operating system; null if not reported.', 64)),
    androidVersionCode: nullable(count('Version code of the app; null if not reported.')),
    developerResponse: nullable(
      object('The developer’s reply; null if none.', {
        body: text('Text of the reply.', 10_000),
        at: instant('When the reply was last changed or, if not reported, first seen, in UTC.'),
        state: enumOf(
          RESPONSE_STATES,
          'Whether users see the reply; `pending` until the store has published it.'
        ),
      })
    ),
  }
)

const AppStoreReviewReplyEntity = entity(
  'AppStoreReviewReplyEntity',
  'The latest reply to a review requested in Tarmac.',
  { text: text('Text of the reply.', MAX_OF_REPLY.apple), ...askedMembers }
)

export const AppStoreReviewEntity = entity('AppStoreReviewEntity', 'A review in an app store.', {
  id: id('Id of the review.'),
  rating: Type.Integer({ description: 'Stars, 1 to 5.', minimum: 1, maximum: 5 }),
  title: nullable(text('Title of the review; null if none.', 1000)),
  body: text('Text of the review.', 20_000),
  author: text('Author’s name in the store; empty if none is shown.', 200),
  locale: nonEmpty('BCP-47 tag of the language; `und` if not reported.', 35),
  territory: nullable(nonEmpty('Country or region; null if not reported.', 16)),
  version: nullable(nonEmpty('Version reviewed; null if not reported.', 64)),
  createdAt: instant('When the review was written, in UTC.'),
  destination: described('Store of the review.', AppStoreReviewDestinationEntity),
  data: described('Further data from the store.', AppStoreReviewDataEntity),
  reply: nullable(
    described(
      'Latest reply requested in Tarmac; null if none, or once the store has a newer one.',
      AppStoreReviewReplyEntity
    )
  ),
  sentiment: enumOf(SENTIMENTS, 'Sentiment by stars: 4 or more is positive, 3 neutral.'),
  issueIds: list('Ids of the issues the review belongs to.', id('Id of an issue.'), 100),
})

const AppStoreReviewsIssueEntity = entity(
  'AppStoreReviewsIssueEntity',
  'A topic shared by several reviews of at most three stars.',
  {
    id: id('Id of the issue; stable for the same word.'),
    title: nonEmpty('The shared word in its most frequent form.', 200),
    reviewCount: count('Number of reviews that mention it.'),
    trend: enumOf(['up', 'flat', 'down'], 'Trend of the last seven days against the seven before.'),
    firstSeenAt: instant('When the first of these reviews was written, in UTC.'),
    lastSeenAt: instant('When the last of these reviews was written, in UTC.'),
  }
)

const stars = (number: number) => count(`Reviews of ${number} ${number === 1 ? 'star' : 'stars'}.`)

export const AppStoreReviewsEntity = entity('AppStoreReviewsEntity', 'Reviews of an app.', {
  data: list('A page of reviews; empty past the last one.', AppStoreReviewEntity, 200),
  pagination: described('Position of the page in the list.', Pagination),
  summary: object('Summary of all reviews that match the filters.', {
    averageRating: nullable(
      Type.Number({ description: 'Mean rating; null if none.', minimum: 1, maximum: 5 })
    ),
    ratingCount: count('Number of reviews.'),
    byRating: object('Number of reviews by stars.', {
      1: stars(1),
      2: stars(2),
      3: stars(3),
      4: stars(4),
      5: stars(5),
    }),
  }),
  issues: list(
    'Topics of the newest 2000 reviews of at most three stars, most frequent first.',
    AppStoreReviewsIssueEntity,
    20
  ),
})
export type AppStoreReviewsEntity = Static<typeof AppStoreReviewsEntity>

export const ReviewAttachmentEntity = entity(
  'AppStoreReviewAttachmentFile',
  'A file for the store’s reviewers of the app.',
  {
    id: id('Id of the file.'),
    fileName: nonEmpty('Name of the file.', 255),
    size: count('Size in bytes.'),
  }
)
