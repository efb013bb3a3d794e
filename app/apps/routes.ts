import type { AnyOperation } from '#foundation/operation/declaration'

export const operations: AnyOperation[] = []
