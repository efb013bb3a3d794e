import { Type, type TSchema } from '@sinclair/typebox'
import { here, named } from '#foundation/core/schemas'
import { RELEASE_STEP_TYPES, type ReleaseStepType } from '#workflow/vocabulary'

/** The data of types of steps, where a module says what they hold. */
export type DataByType = Partial<Record<ReleaseStepType, TSchema>>

/** The types that share a model of data, under the name of that model. */
function typesByModel(data: DataByType, other: TSchema) {
  const models = new Map<string, { model: TSchema; types: ReleaseStepType[] }>()
  for (const type of RELEASE_STEP_TYPES) {
    const model = data[type] ?? other
    const known = models.get(model.$id!)
    if (known) known.types.push(type)
    else models.set(model.$id!, { model, types: [type] })
  }
  // The one that says least comes last: the first stands for all in examples.
  const all = [...models.values()]
  return [
    ...all.filter(({ model }) => model.$id !== other.$id),
    ...all.filter(({ model }) => model.$id === other.$id),
  ]
}

/**
 * The models of data that an entity can hold.
 * @param other of types that nobody says anything of
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
 * An entity whose `data` follows from its `type`: a union with the type as its discriminator. Each
 * member is named after its model of data (`RolloutStepRunData` makes a `RolloutStepRunEntity`).
 * @param union its name, and what it is, as a sentence without its full stop
 * @param base the named members that all of them have
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
        description: `${description}: of type ${types.join(', ')}.`,
        allOf: [
          base,
          Type.Object({
            type: Type.Unsafe({
              description: 'The type of the step: one of those whose data is the same.',
              type: 'string',
              enum: types,
            }),
            data: here('What is recorded where the step is of this type.', model),
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
      description: `${description}; its type says what its data is.`,
      oneOf: variants.map(({ schema }) => schema),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    })
  )
}
