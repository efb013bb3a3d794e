import { Type, type TSchema } from '@sinclair/typebox'
import { named } from '#foundation/core/schemas'
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
export function anyData(name: string, data: DataByType, other: TSchema): TSchema {
  return named(name, Type.Union(typesByModel(data, other).map(({ model }) => model)))
}

/**
 * An entity whose `data` follows from its `type`: one of several, told apart by the type. Each
 * is named after its model of data (`RolloutStepRunData` makes a `RolloutStepRunEntity`).
 * @param base the named members that all of them have
 */
export function unionByType(
  name: string,
  base: TSchema,
  data: DataByType,
  other: TSchema
): TSchema {
  const variants = typesByModel(data, other).map(({ model, types }) => ({
    types,
    schema: named(
      model.$id!.replace(/Data$/, 'Entity'),
      Type.Unsafe({
        allOf: [
          base,
          Type.Object({ type: Type.Unsafe({ type: 'string', enum: types }), data: model }),
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
      oneOf: variants.map(({ schema }) => schema),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    })
  )
}
