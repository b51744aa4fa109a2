export const PIECE: number
export const BULK: number
export const TRIPS: number
export const WARM: number
export const LINKS: number
export const WARM_LINKS: number
