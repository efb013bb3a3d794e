import { wholeDocument } from '#tests/support/whole_document'
import { writtenOut } from '#foundation/api/openapi/written_out'

export type Schema = { [keyword: string]: any }
interface Content {
  schema: Schema
  example?: unknown
}
interface Response {
  description: string
  content?: Record<string, Content>
}
interface OperationObject {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: unknown[]
  parameters: { name: string; in: string; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Response>
}

/** The current OpenAPI document with its references resolved in each operation. */
export const document = writtenOut(wholeDocument()) as {
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: OperationObject }>
  tags: { name: string }[]
  components: { schemas: Record<string, Schema> }
}

/** Every operation of the document with its path and method. */
export const all = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
)
