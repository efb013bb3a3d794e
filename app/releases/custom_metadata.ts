import { Type, type Static } from '@sinclair/typebox'
import { named } from '#foundation/core/schemas'

const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

export const CustomMetadataEntry = named(
  'CustomMetadataEntry',
  Type.Object({ key: Type.String(), value: MetadataValue })
)
export type CustomMetadataEntry = Static<typeof CustomMetadataEntry>

export const CustomMetadata = named(
  'CustomMetadata',
  Type.Object({ entries: Type.Array(CustomMetadataEntry, { maxItems: 100 }) })
)
export type CustomMetadata = Static<typeof CustomMetadata>
