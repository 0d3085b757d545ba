"""Charts: pure functions from a small frame to an Altair chart that fits a width."""

from equiglot.report.charts.agreement import agreement_chart
from equiglot.report.charts.bars import bar_chart
from equiglot.report.charts.boxes import box_chart, box_summary
from equiglot.report.charts.corrections import calibration_chart, corrections_chart
from equiglot.report.charts.divergence import divergence_chart
from equiglot.report.charts.dots import dot_chart
from equiglot.report.charts.heatmap import rank_heatmap
from equiglot.report.charts.scatter import confound_scatter
from equiglot.report.charts.stability import stability_chart
from equiglot.report.charts.zones import ZONES, zone_chart

__all__ = [
    "ZONES",
    "agreement_chart",
    "bar_chart",
    "box_chart",
    "box_summary",
    "calibration_chart",
    "confound_scatter",
    "corrections_chart",
    "divergence_chart",
    "dot_chart",
    "rank_heatmap",
    "stability_chart",
    "zone_chart",
]
