import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { exampleReviews, exampleStoreBuildId } from './examples.js'

export const parameters: Record<string, ParameterDeclaration> = {
  reviewId: {
    description: 'Id of a review, from getAppStoreReviews.',
    example: exampleReviews.data[0].id,
  },
  appStoreBuildId: {
    description: 'Id of a store build, from listAppStoreBuilds.',
    example: exampleStoreBuildId,
  },
}
