"""Fresh draws of X, released as they are: as in `fresh`."""

from core.fresh import KIND as FRESH

KIND = FRESH._replace(
    certified={"product": FRESH.certified["product"]},
    refuted={name: FRESH.refuted[name] for name in ("one-refuted", "product-refuted")},
    unscaled={},
)
