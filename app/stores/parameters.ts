import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { exampleStoreBuildId } from './examples.js'

export const parameters: Record<string, ParameterDeclaration> = {
  appStoreBuildId: {
    description: 'Id of the build of a store, as listAppStoreBuilds answers it.',
    example: exampleStoreBuildId,
  },
}
