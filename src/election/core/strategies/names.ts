/** The name of a strategy: how the peers of a cluster find their leader. */
export type StrategyName = 'bully' | 'lowest' | 'ring'

/** All names. The help of the command line loads them without the strategies. */
export const STRATEGIES = ['bully', 'lowest', 'ring'] as const satisfies readonly StrategyName[]
