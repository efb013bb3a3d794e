import { Type, type TSchema } from '@sinclair/typebox'
import { described, named } from '#foundation/core/schemas'
import { RELEASE_STEP_TYPES, type ReleaseStepType } from '#workflow/vocabulary'

/** The schemas of the data of steps or runs, by type. Types without data are left out. */
export type DataByType = Partial<Record<ReleaseStepType, TSchema>>

/** Groups the types of steps by the schema of their data. */
function typesByModel(data: DataByType, other: TSchema) {
  const models = new Map<string, { model: TSchema; types: ReleaseStepType[] }>()
  for (const type of RELEASE_STEP_TYPES) {
    const model = data[type] ?? other
    const known = models.get(model.$id!)
    if (known) known.types.push(type)
    else models.set(model.$id!, { model, types: [type] })
  }
  // The empty schema comes last, because generated examples use the first one.
  const all = [...models.values()]
  return [
    ...all.filter(({ model }) => model.$id !== other.$id),
    ...all.filter(({ model }) => model.$id === other.$id),
  ]
}

/**
 * Returns the union of the schemas of data.
 * @param other the schema for types that `data` leaves out
 */
export function anyData(
  name: string,
  description: string,
  data: DataByType,
  other: TSchema
): TSchema {
  const models = typesByModel(data, other).map(({ model }) => model)
  return named(name, Type.Union(models, { description }))
}

/**
 * Returns the schema of an entity whose `data` depends on its `type`: a union with the type as its
 * discriminator. Each variant is named after the schema of its data (`RolloutStepRunData` makes a
 * `RolloutStepRunEntity`).
 * @param union its name, and its description as a sentence without a full stop
 * @param base the schema of the common members
 * @param other the schema of the data for types that `data` leaves out
 */
export function unionByType(
  { name, description }: { name: string; description: string },
  base: TSchema,
  data: DataByType,
  other: TSchema
): TSchema {
  const variants = typesByModel(data, other).map(({ model, types }) => ({
    types,
    schema: named(
      model.$id!.replace(/Data$/, 'Entity'),
      Type.Unsafe({
        description: `${description} (type ${types.join(', ')}).`,
        allOf: [
          base,
          Type.Object({
            type: Type.Unsafe({
              description: 'Type of the step; these types have the same data.',
              type: 'string',
              enum: types,
            }),
            data: described('Data recorded for this type of step.', model),
          }),
        ],
      })
    ),
  }))
  const mapping = variants.flatMap(({ types, schema }) =>
    types.map((type) => [type, `#/components/schemas/${schema.$id}`])
  )
  return named(
    name,
    Type.Unsafe({
      description: `${description}; its type determines its data.`,
      oneOf: variants.map(({ schema }) => schema),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    })
  )
}
