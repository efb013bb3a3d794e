import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { exampleReviews, exampleStoreBuildId } from './examples.js'

export const parameters: Record<string, ParameterDeclaration> = {
  reviewId: {
    description: 'Id of a review, as getAppStoreReviews answers it.',
    example: exampleReviews.data[0].id,
  },
  appStoreBuildId: {
    description: 'Id of the build of a store, as listAppStoreBuilds answers it.',
    example: exampleStoreBuildId,
  },
}
