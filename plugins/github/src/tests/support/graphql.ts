import { isDeepStrictEqual } from 'node:util'
import { schema as published } from '@octokit/graphql-schema'
import {
  buildSchema,
  executeSync,
  getOperationAST,
  getVariableValues,
  Kind,
  parse,
  validate,
  type ExecutionArgs,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql'
import type { ContractOperation } from '@tarmac/plugin-kit/testing'

interface Asked {
  query: string
  variables?: Record<string, unknown>
}

/** Checks queries of GraphQL, and their answers, against the schema that GitHub publishes. */
export function graphqlOperation(): ContractOperation {
  let built: GraphQLSchema | undefined
  const schema = () => (built ??= buildSchema(published.idl, { assumeValid: true }))

  function faultsOfQuery({ query, variables = {} }: Asked): readonly GraphQLError[] {
    const document = parse(query)
    const faults = validate(schema(), document)
    const operation = getOperationAST(document)
    const defined = operation?.variableDefinitions ?? []
    const { errors = [] } = getVariableValues(schema(), defined, variables)
    return [...faults, ...errors]
  }

  /** Selects what the query asks for from the answer itself: anything else in it is a fault. */
  function faultsOfAnswer({ query, variables }: Asked, rootValue: unknown): readonly Error[] {
    const { data, errors } = executeSync({
      ...{ schema: schema(), document: parse(query), rootValue, variableValues: variables },
      ...{ fieldResolver, typeResolver },
    })
    if (errors) return errors
    const selected: unknown = JSON.parse(JSON.stringify(data))
    if (isDeepStrictEqual(selected, rootValue)) return []
    return [new Error(`${JSON.stringify(rootValue)} instead of ${JSON.stringify(selected)}`)]
  }

  const named = (faults: readonly Error[]) => faults.map(({ message }) => `GraphQL: ${message}`)
  return {
    id: 'POST /graphql',
    method: 'POST',
    path: /^\/graphql$/,
    verified: true,
    checkRequest: ({ body }) => named(faultsOfQuery(JSON.parse(body) as Asked)),
    checkResponse({ body, response }) {
      if (response?.status !== 200) return []
      const { data } = JSON.parse(response.body) as { data?: unknown }
      return data === undefined ? [] : named(faultsOfAnswer(JSON.parse(body) as Asked, data))
    },
  }
}

const fieldResolver: ExecutionArgs['fieldResolver'] = (source, _arguments, _context, { path }) =>
  (source as Record<string, unknown> | undefined)?.[path.key]

/** An answer without `__typename` has the type of which the query selects members, or any. */
const typeResolver: ExecutionArgs['typeResolver'] = (value, _context, info, abstract) => {
  const { __typename: given } = value as { __typename?: string }
  const fragment = info.fieldNodes[0].selectionSet?.selections.find(
    (each) => each.kind === Kind.INLINE_FRAGMENT
  )
  const [any] = info.schema.getPossibleTypes(abstract)
  return given ?? fragment?.typeCondition?.name.value ?? any.name
}
