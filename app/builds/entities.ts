import { Type } from '@sinclair/typebox'
import { STORE_KINDS } from '#apps/vocabulary'
import { instant, named, nullable, words } from '#foundation/core/schemas'

/** A build as a store knows it. */
export const AppStoreBuildEntity = named(
  'AppStoreBuildEntity',
  Type.Object({
    id: Type.String(),
    buildNumber: Type.String(),
    version: Type.String(),
    storeType: words(STORE_KINDS),
    uploadedAt: instant(),
    processingState: words(['PROCESSING', 'VALID', 'INVALID', 'FAILED']),
    expired: Type.Boolean(),
    ciBuildId: nullable(Type.String()),
    selected: Type.Boolean(),
  })
)
